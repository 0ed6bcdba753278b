/** Bit of a verdict in `items.verdicts`. */
export const bit = (row: string): string => `(case ${row}.result when 'OK' then 1 else 2 end)`;

/** The statements that keep `counts`, `items.verdicts`, `assessments.item_seq` and `assessments.list_kind`. */
export function countTriggers(isPostgres: boolean): readonly string[] {
  return isPostgres ? postgresTriggers : sqliteTriggers;
}

/** One writer at a time: each key has one row, which is counted up and down. */
export const count = (scope: string, kind: string, change: string, bytes = '0'): string => `
  insert into counts (scope, list_kind, count, bytes) select ${scope}, ${kind}, ${change}, ${bytes} where ${kind} is not null
  on conflict (scope, list_kind) do update set count = count + excluded.count, bytes = bytes + excluded.bytes;`;

export const sqliteVerdicts = (itemId: string): string => `update items set verdicts =
  coalesce((select max(1) from assessments where item_id = ${itemId} and result = 'OK'), 0) +
  coalesce((select max(2) from assessments where item_id = ${itemId} and result = 'NG'), 0) where item_id = ${itemId};`;

const sqliteTriggers: readonly string[] = [
  `create trigger items_counted_in after insert on items begin ${count("'items'", 'new.list_kind', '1')} end`,
  `create trigger items_counted_out after delete on items begin ${count("'items'", 'old.list_kind', '-1')} end`,
  `create trigger items_counted_over after update of user_result, verdicts, is_training on items
  when old.list_kind <> new.list_kind begin
    ${count("'items'", 'old.list_kind', '-1')} ${count("'items'", 'new.list_kind', '1')}
    update assessments set list_kind = new.list_kind % 6 + list_kind / 6 * 6
    where item_id = new.item_id and old.list_kind % 6 <> new.list_kind % 6;
  end`,
  `create trigger assessments_counted_in after insert on assessments begin
    update assessments set (item_seq, list_kind) =
      (select seq, list_kind % 6 + 6 * ${bit('new')} from items where item_id = new.item_id)
    where seq = new.seq;
    update items set verdicts = verdicts | ${bit('new')} where item_id = new.item_id;
  end`,
  `create trigger assessments_counted_over after update of list_kind on assessments
  when old.list_kind is not new.list_kind begin
    ${count('old.model_id', 'old.list_kind', '-1')} ${count('new.model_id', 'new.list_kind', '1')}
  end`,
  `create trigger assessments_counted_out after delete on assessments begin
    ${count('old.model_id', 'old.list_kind', '-1')} ${sqliteVerdicts('old.item_id')}
  end`,
  `create trigger images_counted_in after insert on item_images begin
    ${count("'images'", '0', '1', 'new.file_size')}
  end`,
  `create trigger images_counted_out after delete on item_images begin
    ${count("'images'", '0', '-1', '-old.file_size')}
  end`,
];

/**
 * Many writers at a time, which must not wait for each other on one row: each change is a row of its own, and about every
 * eighth adds the rows of its key together. A trigger of an assessment locks the row of the item first, so that two
 * writers of one item see each other's work.
 */
const postgresTriggers: readonly string[] = [
  `create function count_in(a_scope text, a_kind integer, a_change integer, a_bytes double precision) returns void
  language plpgsql as $$ begin
    if a_kind is null then return; end if;
    insert into counts (scope, list_kind, count, bytes) values (a_scope, a_kind, a_change, a_bytes);
    if random() < 0.125 and pg_try_advisory_xact_lock(hashtext('counts' || a_scope), a_kind) then
      with gone as (delete from counts where scope = a_scope and list_kind = a_kind returning count, bytes)
      insert into counts (scope, list_kind, count, bytes) select a_scope, a_kind, sum(count), sum(bytes) from gone;
    end if;
  end $$`,
  `create function count_items() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' and old.list_kind = new.list_kind then return null; end if;
    if tg_op <> 'INSERT' then perform count_in('items', old.list_kind, -1, 0); end if;
    if tg_op <> 'DELETE' then perform count_in('items', new.list_kind, 1, 0); end if;
    if tg_op = 'UPDATE' and old.list_kind % 6 <> new.list_kind % 6 then
      update assessments set list_kind = new.list_kind % 6 + list_kind / 6 * 6 where item_id = new.item_id;
    end if;
    return null;
  end $$`,
  `create trigger items_counted after insert or delete or update of user_result, verdicts, is_training on items
  for each row execute function count_items()`,
  `create function place_assessment() returns trigger language plpgsql as $$ begin
    perform 1 from models where model_id = new.model_id for key share;
    if not found then raise exception 'There is no model % any more.', new.model_id; end if;
    select seq, list_kind % 6 + 6 * ${bit('new')} into new.item_seq, new.list_kind
      from items where item_id = new.item_id for no key update;
    if not found then raise exception 'There is no item % any more.', new.item_id; end if;
    return new;
  end $$`,
  `create trigger assessments_placed before insert on assessments for each row execute function place_assessment()`,
  `create function count_assessments() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' and old.list_kind is not distinct from new.list_kind then return null; end if;
    if tg_op <> 'INSERT' then perform count_in(old.model_id, old.list_kind, -1, 0); end if;
    if tg_op <> 'DELETE' then perform count_in(new.model_id, new.list_kind, 1, 0); end if;
    if tg_op = 'INSERT' then
      update items set verdicts = verdicts | ${bit('new')} where item_id = new.item_id;
    elsif tg_op = 'DELETE' then
      perform 1 from items where item_id = old.item_id for no key update;
      update items set verdicts =
        (select coalesce(bit_or(${bit('a')}), 0) from assessments a where a.item_id = old.item_id)
        where item_id = old.item_id;
    end if;
    return null;
  end $$`,
  `create trigger assessments_counted after insert or delete or update of list_kind on assessments
  for each row execute function count_assessments()`,
  `create function count_images() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then perform count_in('images', 0, 1, new.file_size);
    else perform count_in('images', 0, -1, -old.file_size);
    end if;
    return null;
  end $$`,
  `create trigger images_counted after insert or delete on item_images
  for each row execute function count_images()`,
];
