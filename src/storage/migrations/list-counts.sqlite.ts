const add = (scope: string, row: 'new' | 'old', seq: string, change: 1 | -1): string => `
  insert into list_counts (scope, bucket, facet, count)
  select ${scope}, ${row}.${seq} / 2048, ${row}.facet, ${change} where ${row}.facet is not null
  on conflict (scope, bucket, facet) do update set count = count + ${change};`;

const bit = (row: string): string => `(case ${row}.result when 'OK' then 1 else 2 end)`;
const verdictsOf = (row: string): string => `
  coalesce((select max(1) from assessments where item_id = ${row}.item_id and result = 'OK'), 0) +
  coalesce((select max(2) from assessments where item_id = ${row}.item_id and result = 'NG'), 0)`;

/** One writer at a time: each key has one row, counted up and down. */
export const sqliteListCounts: readonly string[] = [
  `create trigger items_counted_in after insert on items begin ${add("'items'", 'new', 'seq', 1)} end`,
  `create trigger items_counted_out after delete on items begin ${add("'items'", 'old', 'seq', -1)} end`,
  `create trigger items_counted_over after update of user_result, verdicts, is_training on items
  when old.facet <> new.facet begin
    ${add("'items'", 'old', 'seq', -1)} ${add("'items'", 'new', 'seq', 1)}
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
    ${add('old.model_id', 'old', 'item_seq', -1)} ${add('new.model_id', 'new', 'item_seq', 1)}
  end`,
  `create trigger assessments_judged_over after update of result on assessments when old.result <> new.result begin
    update assessments set facet = facet % 6 + 6 * ${bit('new')} where seq = new.seq;
    update items set verdicts = ${verdictsOf('new')} where item_id = new.item_id;
  end`,
  `create trigger assessments_counted_out after delete on assessments begin
    ${add('old.model_id', 'old', 'item_seq', -1)}
    update items set verdicts = ${verdictsOf('old')} where item_id = old.item_id;
  end`,
];
