const buckets = (seq: string): string => `values (512, ${seq} / 512), (16384, ${seq} / 16384)`;
const countOne = (scope: string, row: 'new' | 'old', seq: string, at: string): string => `
  insert into list_counts (scope, size, bucket, facet, count, first_at, last_at)
  select ${scope}, column1, column2, ${row}.facet, 1, ${at}, ${at} from (${buckets(`${row}.${seq}`)})
  where ${row}.facet is not null
  on conflict (scope, size, bucket, facet) do update set
    count = count + 1, first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at);`;
const countOff = (scope: string, row: 'new' | 'old', seq: string): string => `
  update list_counts set count = count - 1
  where scope = ${scope} and (size, bucket) in (${buckets(`${row}.${seq}`)}) and facet = ${row}.facet;`;
const timeOfItem = '(select created_at from items where seq = new.item_seq)';

const bit = (row: string): string => `(case ${row}.result when 'OK' then 1 else 2 end)`;
const verdictsOf = (row: string): string => `
  coalesce((select max(1) from assessments where item_id = ${row}.item_id and result = 'OK'), 0) +
  coalesce((select max(2) from assessments where item_id = ${row}.item_id and result = 'NG'), 0)`;

/** One writer at a time: each key has one row, counted up and down. */
export const sqliteListCounts: readonly string[] = [
  `create trigger items_counted_in after insert on items begin ${countOne("'items'", 'new', 'seq', 'new.created_at')} end`,
  `create trigger items_counted_out after delete on items begin ${countOff("'items'", 'old', 'seq')} end`,
  `create trigger items_counted_over after update of user_result, verdicts, is_training on items
  when old.facet <> new.facet begin
    ${countOff("'items'", 'old', 'seq')} ${countOne("'items'", 'new', 'seq', 'new.created_at')}
    update assessments set facet = new.facet % 6 + facet / 6 * 6
    where item_id = new.item_id and old.facet % 6 <> new.facet % 6;
  end`,
  `create trigger assessments_counted_in after insert on assessments begin
    update assessments set
      item_seq = (select seq from items where item_id = new.item_id),
      facet = (select facet % 6 from items where item_id = new.item_id) + 6 * ${bit('new')}
    where seq = new.seq;
    update items set verdicts = verdicts | ${bit('new')} where item_id = new.item_id;
  end`,
  `create trigger assessments_counted_over after update of facet on assessments
  when old.facet is not new.facet begin
    ${countOff('old.model_id', 'old', 'item_seq')} ${countOne('new.model_id', 'new', 'item_seq', timeOfItem)}
  end`,
  `create trigger assessments_judged_over after update of result on assessments when old.result <> new.result begin
    update assessments set facet = facet % 6 + 6 * ${bit('new')} where seq = new.seq;
    update items set verdicts = ${verdictsOf('new')} where item_id = new.item_id;
  end`,
  `create trigger assessments_counted_out after delete on assessments begin
    ${countOff('old.model_id', 'old', 'item_seq')}
    update items set verdicts = ${verdictsOf('old')} where item_id = old.item_id;
  end`,
];
