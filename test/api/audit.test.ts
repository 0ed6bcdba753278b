import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditService } from '../../src/domains/audit/audit.service.ts';
import { hashEntry } from '../../src/domains/audit/audit-chain.ts';
import { expectError } from '../support/expect-error.ts';
import { openAudit } from '../support/open-accounts.ts';
import { openBrowser } from '../support/page-browser.ts';
import { startTestService, type TestService, testClient } from '../support/test-service.ts';
import { stripes } from '../support/trained-model.ts';

let service: TestService;
let audit: AuditService;

interface Entry {
  seq: number;
  act: string;
  caller_name: string;
  target_id: string | null;
  details: Record<string, unknown>;
  reason: string | null;
}

beforeAll(async () => {
  service = await startTestService({ KENSA_FTP_PORT: '0' }, { work: false });
  audit = openAudit(service.db);
});
afterAll(() => service.stop());

async function list(query = ''): Promise<Entry[]> {
  const answer = await service.call('GET', `/api/v1/audit${query}`);
  expect(answer.status).toBe(200);
  return (answer.body as { data: { entries: Entry[] } }).data.entries;
}

const labels = (name: string) => ({ body: { labels: [{ label: 1, name }] } });

async function upload(count: number): Promise<string[]> {
  const bytes = await stripes(1);
  const files = Array.from({ length: count }, (_, index) => ({ name: `part-${index}.png`, bytes }));
  const made = await service.upload(files, { training: 'false' });
  return (made.body as { data: { item_ids: string[] } }).data.item_ids;
}

describe('the audit trail', () => {
  it('names who did what, to what, with the reason that was given', async () => {
    const headers = { 'x-reason': encodeURIComponent('新しい欠陥: scratch') };
    await service.call('PUT', '/api/v1/labels', { ...labels('scratch'), headers });
    const [entry] = await list('?act=labels.change');
    expect(entry).toMatchObject({ caller_name: 'tests', reason: '新しい欠陥: scratch' });
    expect(entry?.details).toMatchObject({ before: [], after: [{ label: 1, name: 'scratch' }] });
    const [itemId = ''] = await upload(1);
    await service.call('PATCH', `/api/v1/items/${itemId}`, { body: { good: true } });
    await service.call('POST', '/api/v1/items/assess', { body: { item_ids: [itemId], good: false } });
    await service.call('DELETE', '/api/v1/items/', { body: { item_ids: [itemId] } });
    const acts = (await list(`?target=${itemId}`)).map(({ act, details }) => [act, details['result'] ?? null]);
    expect(acts).toEqual([
      ['item.delete', null],
      ['item.assess', 'NG'],
      ['item.annotate', 'OK'],
    ]);
  });

  it('has no entry of an act that was refused, and no act without its entry', async () => {
    const before = (await list()).at(0)?.seq;
    expectError(await service.call('DELETE', '/api/v1/items/', { body: { item_ids: ['nobody'] } }), 404);
    expect((await list()).at(0)?.seq).toBe(before);
    const [itemId = ''] = await upload(1);
    // Nothing can be appended: the act itself must fail.
    await service.db.transaction().execute(async (trx) => {
      await sql`update settings set value = '1 x' where key = 'audit_head'`.execute(trx);
    });
    const refused = await service.call('DELETE', '/api/v1/items/', { body: { item_ids: [itemId] } });
    expect(refused.status).toBeGreaterThanOrEqual(500);
    expect((await service.call('GET', `/api/v1/items/${itemId}`)).status).toBe(200);
    const { rows } = await sql<{
      seq: number;
      hash: string;
    }>`select seq, hash from audit_log order by seq desc limit 1`.execute(service.db);
    const head = `${rows[0]?.seq} ${rows[0]?.hash}`;
    await sql`update settings set value = ${head} where key = 'audit_head'`.execute(service.db);
    expect((await service.call('DELETE', '/api/v1/items/', { body: { item_ids: [itemId] } })).status).toBe(200);
  });

  it('is asked by act, person and time, page by page', async () => {
    for (const name of ['a', 'b', 'c']) await service.call('PUT', '/api/v1/labels', labels(name));
    const first = await service.call('GET', '/api/v1/audit?act=labels.change&count=2');
    const { entries, next } = (first.body as { data: { entries: Entry[]; next: number } }).data;
    expect(entries.length).toBe(2);
    const rest = await list(`?act=labels.change&count=2&before=${next}`);
    expect(rest.every(({ seq }) => seq < next)).toBe(true);
    expect(await list('?caller=nobody')).toEqual([]);
    expect(await list(`?until=2020-01-01T00:00:00Z`)).toEqual([]);
    expect((await list(`?caller=${testClient.clientId}&act=labels.change`)).length).toBeGreaterThan(3);
    expectError(await service.call('GET', '/api/v1/audit?act=nonsense'), 422, 'act');
  });

  it('holds one entry for each item of a bulk act', async () => {
    const itemIds = await upload(300);
    const startedAt = performance.now();
    const assessed = await service.call('POST', '/api/v1/items/assess', { body: { item_ids: itemIds, good: true } });
    expect(assessed.status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect((await list(`?act=item.assess&count=500`)).length).toBeGreaterThanOrEqual(300);
    expect((await audit.verify()).fault).toBeUndefined();
  });

  it('stays one chain when many write at once', async () => {
    const before = (await audit.verify()).head.seq;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        service.call('POST', '/api/v1/targets/', { body: { name: `at once ${index}` } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const { head, fault } = await audit.verify();
    expect(fault).toBeUndefined();
    expect(head.seq).toBe(before + 20);
  });

  it('goes out as JSON lines that can be checked elsewhere, and as CSV that runs nothing', async () => {
    for (const reason of ['=1+1', '+1', '-1', '@a'])
      await service.call('PUT', '/api/v1/labels', {
        ...labels(reason),
        headers: { 'x-reason': encodeURIComponent(reason) },
      });
    const lines = (await service.call('GET', '/api/v1/audit/export')).bytes.toString().trim().split('\n');
    let previous = '0'.repeat(64);
    for (const line of lines) {
      const { hash, ...entry } = JSON.parse(line);
      expect(hashEntry(previous, entry)).toBe(hash);
      previous = hash;
    }
    const csv = (await service.call('GET', '/api/v1/audit/export?format=csv')).bytes.toString();
    expect(csv).toMatch(/^seq,at,caller_kind/);
    for (const reason of ['=1+1', '+1', '-1', '@a']) expect(csv).toContain(`,'${reason}`);
    expect(csv).not.toMatch(/,[=+@-]/);
  });

  it('refuses an act without the reason that it needs, also of a bulk, and asks for none elsewhere', async () => {
    const required = { acts: ['labels.change', 'item.delete'] };
    expect((await service.call('PUT', '/api/v1/audit/reasons', { body: required })).status).toBe(200);
    const refused = expectError(await service.call('PUT', '/api/v1/labels', labels('without a reason')), 428);
    expect(refused).toMatchObject({ code: 'reason-required', values: { act: 'labels.change' } });
    expect(JSON.stringify((await service.call('GET', '/api/v1/labels')).body)).not.toContain('without a reason');
    for (const reason of ['%20', 'a'.repeat(501), '%ff', '%00'])
      expect(
        (await service.call('PUT', '/api/v1/labels', { ...labels('y'), headers: { 'x-reason': reason } })).status,
      ).toBeGreaterThanOrEqual(400);
    const headers = { 'x-reason': 'customer%20asks' };
    expect((await service.call('PUT', '/api/v1/labels', { ...labels('y'), headers })).status).toBe(200);
    const [itemId] = await upload(1);
    const items = { body: { item_ids: [itemId] } };
    expectError(await service.call('DELETE', '/api/v1/items/', items), 428);
    expect((await service.call('DELETE', '/api/v1/items/', { ...items, headers })).status).toBe(200);
    expect((await service.call('PUT', '/api/v1/audit/reasons', { body: { acts: [] } })).status).toBe(200);
    expectError(await service.call('PUT', '/api/v1/audit/reasons', { body: { acts: ['session.sign-in'] } }), 422);
  });

  it('holds rules, settings, runs and holds of retention, with the reason where one is asked for', async () => {
    const rules = '/api/v1/retention/rules';
    const rule = { name: 'short', image_days: { OK: 5, NG: 9, unjudged: 5 }, record_days: 30 };
    const made = await service.call('POST', rules, { body: rule });
    const { retention_id: id } = (made.body as { data: { retention_id: string } }).data;
    await service.call('PUT', `${rules}/${id}`, { body: { record_days: 60 } });
    await service.call('DELETE', `${rules}/${id}`);
    expect((await list(`?target=${id}`)).map(({ act, details }) => [act, details['record_days'] ?? null])).toEqual([
      ['retention.delete', null],
      ['retention.change', 60],
      ['retention.add', 30],
    ]);
    await service.call('PUT', '/api/v1/retention/', { body: { daily_at: '03:00' } });
    expect((await list('?act=retention.settings')).at(0)?.details).toMatchObject({ daily_at: '03:00' });
    const run = await service.call('POST', '/api/v1/retention/runs');
    const { run_id: runId } = (run.body as { data: { run_id: string } }).data;
    expect((await list('?act=retention.start')).at(0)).toMatchObject({ target_id: runId, caller_name: 'tests' });
    await service.call('PUT', '/api/v1/audit/reasons', { body: { acts: ['hold.add', 'hold.release'] } });
    const held = await service.call('POST', '/api/v1/retention/holds', {
      body: { reason: 'complaint 4711', filter: { lot: '7' } },
    });
    expect(held.status).toBe(201);
    const { hold_id: holdId } = (held.body as { data: { hold_id: string } }).data;
    const release = (headers = {}) => service.call('DELETE', `/api/v1/retention/holds/${holdId}`, { headers });
    expectError(await release(), 428);
    expect((await service.call('GET', '/api/v1/retention/holds')).body).toMatchObject({ data: [{ hold_id: holdId }] });
    expect((await release({ 'x-reason': 'settled' })).status).toBe(200);
    expect((await list(`?target=${holdId}`)).map(({ act, reason }) => [act, reason])).toEqual([
      ['hold.release', 'settled'],
      ['hold.add', 'complaint 4711'],
    ]);
    await service.call('PUT', '/api/v1/audit/reasons', { body: { acts: [] } });
    expectError(await service.call('PUT', '/api/v1/audit/reasons', { body: { acts: ['retention.remove'] } }), 422);
  });

  it('holds stations, their settings without secrets, and their end', async () => {
    const target = await service.call('POST', '/api/v1/targets/', { body: { name: 'caps' } });
    const { target_id } = (target.body as { data: { target_id: number } }).data;
    const body = { name: 'press', target_id, source: { kind: 'ftp' } };
    const made = await service.call('POST', '/api/v1/stations/', { body });
    const { station_id: id } = (made.body as { data: { station_id: string } }).data;
    expect((await service.call('PUT', `/api/v1/stations/${id}`, { body: { enabled: false } })).status).toBe(200);
    await service.call('POST', `/api/v1/stations/${id}/ftp_login`);
    await service.call('DELETE', `/api/v1/stations/${id}`);
    const entries = await list(`?target=${id}`);
    expect(entries.map(({ act }) => act)).toEqual([
      'station.delete',
      'station.ftp-login',
      'station.change',
      'station.ftp-login',
      'station.add',
    ]);
    expect(entries[0]?.details).toEqual({ name: 'press' });
    expect(entries[2]?.details).toEqual({ name: 'press', changed: ['enabled'] });
    expect(Object.keys(entries[1]?.details ?? {})).toEqual(['user']);
  });

  it('holds the sign-ins of clients, and wrong secrets of those that exist', async () => {
    const login = (id: string, secret: string) =>
      service.call('POST', '/api/auth/token', {
        token: null,
        body: { client_id: id, client_secret: secret, grant_type: 'client_credentials' },
      });
    await login(testClient.clientId, testClient.secret);
    await login(testClient.clientId, 'a guess at it');
    const before = (await list()).at(0)?.seq;
    await login('nobody', 'a guess at it');
    expect((await list()).at(0)?.seq).toBe(before);
    expect((await list('?count=2')).map(({ act, target_id, details }) => [act, target_id, details])).toEqual([
      ['client.refused', testClient.clientId, { name: 'tests' }],
      ['client.sign-in', testClient.clientId, { name: 'tests' }],
    ]);
  });

  it('holds sign-ins with their names', async () => {
    const browser = openBrowser(service);
    await browser.signIn(testClient.clientId, testClient.secret);
    await browser.call('DELETE', '/api/v1/session');
    expect((await list('?count=2')).map(({ act, caller_name }) => [act, caller_name])).toEqual([
      ['session.sign-out', 'tests'],
      ['session.sign-in', 'tests'],
    ]);
  });
});

describe('tampering with the trail', () => {
  const change = (statement: string) => async () => {
    await sql.raw(statement).execute(service.db);
  };
  const isPostgres = process.env['KENSA_TEST_BACKEND'] === 'postgres';

  it('is refused by the database', async () => {
    for (const statement of ['update audit_log set reason = 1', 'delete from audit_log where seq = 1'])
      await expect(change(statement)()).rejects.toThrow('append only');
  });

  it('is found where somebody lifts that: a changed, removed, added entry, and an end that was cut off', async () => {
    const kept = (await audit.verify()).head;
    const triggers = isPostgres
      ? ['alter table audit_log disable trigger all']
      : ['drop trigger audit_no_update', 'drop trigger audit_no_delete'];
    for (const statement of triggers) await change(statement)();
    const tamper = async (statements: string[], problem: string, seq: number) => {
      await service.db.schema.createTable('kept').as(service.db.selectFrom('audit_log').selectAll()).execute();
      for (const statement of statements) await change(statement)();
      expect((await audit.verify()).fault).toEqual({ seq, problem });
      const answer = await service.call('POST', '/api/v1/audit/verify');
      expect(answer.body).toMatchObject({ data: { fault: { seq, problem }, entries: seq - 1 } });
      await change('delete from audit_log')();
      await change('insert into audit_log select * from kept')();
      await change('drop table kept')();
      expect((await audit.verify()).fault).toBeUndefined();
    };
    const last = kept.seq;
    for (const column of ['at', 'caller_kind', 'caller_id', 'caller_name', 'act', 'target_id', 'details', 'reason'])
      await tamper([`update audit_log set ${column} = 'x' where seq = 5`], 'changed', 5);
    await tamper(['delete from audit_log where seq = 7'], 'missing', 7);
    await tamper(
      ['delete from audit_log where seq = 7', 'update audit_log set seq = seq - 1 where seq = 8'],
      'changed',
      7,
    );
    await tamper([`delete from audit_log where seq > ${last - 3}`], 'removed-at-end', last - 2);
    const added = 'caller_kind, caller_id, caller_name, act, target_id, details, reason, hash';
    const copy = (seq: number) =>
      `insert into audit_log (seq, at, ${added}) select ${seq}, at, ${added} from audit_log where seq = 3`;
    await tamper([copy(last + 1)], 'changed', last + 1);
  });

  it('at the end is found with a head that was kept elsewhere, even where the noted head was changed too', async () => {
    const { head } = await audit.verify();
    const rows = await service.db
      .selectFrom('audit_log')
      .select(['seq', 'hash'])
      .where('seq', '=', head.seq - 2)
      .execute();
    await service.db
      .deleteFrom('audit_log')
      .where('seq', '>', head.seq - 2)
      .execute();
    await sql`update settings set value = ${`${rows[0]?.seq} ${rows[0]?.hash}`} where key = 'audit_head'`.execute(
      service.db,
    );
    expect((await audit.verify()).fault).toBeUndefined();
    expect((await audit.verify(head)).fault).toEqual({ seq: head.seq - 1, problem: 'removed-at-end' });
    // The end written anew differs from the one that was kept.
    for (let index = 0; index < 3; index++) await service.call('PUT', '/api/v1/labels', labels(`again ${index}`));
    expect((await audit.verify()).fault).toBeUndefined();
    expect((await audit.verify(head)).fault).toEqual({ seq: head.seq, problem: 'not-the-known-head' });
  });
});
