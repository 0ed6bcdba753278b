import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cachedStatements } from './cached-statements.ts';
import { SqliteDatabase } from './sqlite-driver.ts';

describe('cachedStatements', () => {
  let database: InstanceType<typeof SqliteDatabase>;
  let cached: ReturnType<typeof cachedStatements>;

  beforeEach(() => {
    database = new SqliteDatabase(':memory:');
    database.exec('create table parts (id integer); insert into parts values (1), (2)');
    cached = cachedStatements(database);
  });
  afterEach(() => cached.close());

  const select = 'select * from parts where id > ?';

  it('compiles a text once, and runs it with other values', () => {
    const first = cached.prepare(select);
    expect(first.all([0])).toEqual([{ id: 1 }, { id: 2 }]);
    expect(cached.prepare(select)).toBe(first);
    expect(cached.prepare(select).all([1])).toEqual([{ id: 2 }]);
  });

  it('knows the columns of a table that was changed', () => {
    cached.prepare(select).all([0]);
    cached.prepare('alter table parts add column name text').run([]);
    expect(cached.prepare(select).all([1])).toEqual([{ id: 2, name: null }]);
  });

  it('gives a second statement while the rows of the first are being read', () => {
    const rows = cached.prepare(select).iterate([0]);
    expect(rows.next().value).toEqual({ id: 1 });
    expect(cached.prepare(select).all([0]).length).toBe(2);
    expect(rows.next().value).toEqual({ id: 2 });
    rows.return?.();
  });

  it('keeps a bounded number of them, those used last', () => {
    const often = cached.prepare(select);
    for (let count = 0; count < 2000; count++) {
      cached.prepare(`select ${count}`);
      if (count % 100 === 0) expect(cached.prepare(select)).toBe(often);
    }
    const once = cached.prepare('select 1');
    for (let count = 0; count < 600; count++) cached.prepare(`select ${count}, 2`);
    expect(cached.prepare('select 1')).not.toBe(once);
  });
});
