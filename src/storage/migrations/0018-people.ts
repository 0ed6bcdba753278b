import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';

const statements: readonly string[] = [
  "alter table clients add column scope text not null default 'all'",
  `create table users (
    user_id text primary key, name text not null, folded_name text not null unique, role text not null,
    password_hash text, pin_hash text, pin_failures integer not null default 0, subject text unique,
    created_at text not null, disabled_at text
  )`,
  `create table sessions (
    session_hash text primary key, account_kind text not null, account_id text not null, fingerprint text not null,
    method text not null, created_at text not null, expires_at text not null,
    id_token text, refresh_token text, check_at text
  )`,
  'create index sessions_by_account on sessions (account_id)',
  'create table terminals (terminal_hash text primary key, name text not null, created_at text not null)',
  `create table audit_log (
    seq integer primary key, at text not null, caller_kind text not null, caller_id text, caller_name text not null,
    act text not null, target_id text, details text not null, reason text, hash text not null
  )`,
  'create index audit_by_act on audit_log (act, seq)',
  'create index audit_by_target on audit_log (target_id, seq)',
  'create index audit_by_caller on audit_log (caller_id, seq)',
];

const refusal = 'The audit trail is append only.';

const sqliteTriggers: readonly string[] = ['update', 'delete'].map(
  (act) => `create trigger audit_no_${act} before ${act} on audit_log begin select raise(abort, '${refusal}'); end`,
);

const postgresTriggers: readonly string[] = [
  `create function refuse_audit_change() returns trigger language plpgsql as $$ begin raise exception '${refusal}'; end $$`,
  `create trigger audit_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change()`,
];

/** People, their sessions, and the audit trail. */
export const peopleMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    const triggers = isPostgres ? postgresTriggers : sqliteTriggers;
    for (const statement of [...statements, ...triggers]) await sql.raw(statement).execute(db);
  },
};
