const trigger = (name: string, when: string, table: string, body: string): string[] => [
  `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${body} end $$`,
  `create trigger ${name} ${when} on ${table} for each row execute function ${name}()`,
];

const bit = (row: string): string => `(case ${row}.result when 'OK' then 1 else 2 end)`;
const verdictsOf = (row: string): string => `(select coalesce(bit_or(${bit('a')}), 0)
  from assessments a where a.item_id = ${row}.item_id)`;

/**
 * Many writers at a time, which must not wait for each other on one row: each change is a row of its own, and every
 * eighth or so adds those of its key together. The row of the item is locked first, always, so that two writers of one
 * item see each other's work.
 */
export const postgresListCounts: readonly string[] = [
  `create or replace function count_in_list(a_scope text, a_seq integer, a_facet integer, a_change integer) returns void
  language plpgsql as $$
  begin
    if a_facet is null then return; end if;
    insert into list_counts (scope, size, bucket, facet, count, first_at, last_at)
      select a_scope, size, a_seq / size, a_facet, a_change, at, at
      from (select (select created_at from items where seq = a_seq and a_change > 0) as at) as came,
        (values (512), (16384)) as sizes (size);
    if random() < 0.125 and
      pg_try_advisory_xact_lock(hashtext('list_counts' || a_scope), a_seq / 16384 * 32 + a_facet) then
      with gone as (
        delete from list_counts where scope = a_scope and facet = a_facet and
          (size = 512 and bucket = a_seq / 512 or size = 16384 and bucket = a_seq / 16384)
        returning size, bucket, count, first_at, last_at
      ) insert into list_counts (scope, size, bucket, facet, count, first_at, last_at)
        select a_scope, size, bucket, a_facet, sum(count), min(first_at), max(last_at)
        from gone group by size, bucket having sum(count) <> 0;
    end if;
  end $$`,
  ...trigger(
    'items_counted_in',
    'after insert',
    'items',
    `perform count_in_list('items', new.seq, new.facet, 1); return null;`,
  ),
  ...trigger(
    'items_counted_out',
    'after delete',
    'items',
    `perform count_in_list('items', old.seq, old.facet, -1); return null;`,
  ),
  ...trigger(
    'items_counted_over',
    'after update of user_result, verdicts, is_training',
    'items',
    `if old.facet <> new.facet then
      perform count_in_list('items', old.seq, old.facet, -1);
      perform count_in_list('items', new.seq, new.facet, 1);
      if old.facet % 6 <> new.facet % 6 then
        update assessments set facet = new.facet % 6 + facet / 6 * 6 where item_id = new.item_id;
      end if;
    end if;
    return null;`,
  ),
  ...trigger(
    'assessments_placed',
    'before insert or update of result',
    'assessments',
    `perform 1 from models where model_id = new.model_id for key share;
    if not found then raise exception 'There is no model % any more.', new.model_id; end if;
    select seq, facet % 6 + 6 * ${bit('new')} into new.item_seq, new.facet
      from items where item_id = new.item_id for no key update;
    if not found then raise exception 'There is no item % any more.', new.item_id; end if;
    return new;`,
  ),
  ...trigger(
    'assessments_counted_in',
    'after insert',
    'assessments',
    `perform count_in_list(new.model_id, new.item_seq, new.facet, 1);
    update items set verdicts = verdicts | ${bit('new')} where item_id = new.item_id;
    return null;`,
  ),
  ...trigger(
    'assessments_counted_over',
    'after update',
    'assessments',
    `if old.facet is distinct from new.facet then
      perform count_in_list(old.model_id, old.item_seq, old.facet, -1);
      perform count_in_list(new.model_id, new.item_seq, new.facet, 1);
    end if;
    if old.result <> new.result then
      update items set verdicts = ${verdictsOf('new')} where item_id = new.item_id;
    end if;
    return null;`,
  ),
  ...trigger(
    'assessments_counted_out',
    'after delete',
    'assessments',
    `perform count_in_list(old.model_id, old.item_seq, old.facet, -1);
    perform 1 from items where item_id = old.item_id for no key update;
    update items set verdicts = ${verdictsOf('old')} where item_id = old.item_id;
    return null;`,
  ),
];
