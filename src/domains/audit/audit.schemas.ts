import Type from 'typebox';
import { DateTime, Int32, Nullable, Shape } from '../../http/common-schemas.ts';
import { acts, actsWithReason } from './acts.ts';

const filters = {
  act: Type.Optional(Type.Enum([...acts], { type: 'string', description: 'kind of act' })),
  caller: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'id or name of who did it' })),
  target: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'id of what it was done to' })),
  from: Type.Optional(DateTime()),
  until: Type.Optional(DateTime()),
};

export const AuditQuery = Shape('AuditQuery', {
  ...filters,
  before: Type.Optional(Int32({ minimum: 1, description: '`next` of the page before' })),
  count: Int32({ minimum: 1, maximum: 500, default: 100 }),
});
export const AuditExportQuery = Shape('AuditExportQuery', {
  ...filters,
  format: Type.Enum(['jsonl', 'csv'], { type: 'string', default: 'jsonl' }),
});

export const AuditEntry = Shape('AuditEntry', {
  seq: Int32({ description: '1, 2, 3, … without a gap' }),
  at: DateTime(),
  caller_kind: Type.Enum(['user', 'client', 'station', 'command', 'system'], {
    type: 'string',
    description: 'station: its controller, by MQTT or Modbus',
  }),
  caller_id: Nullable(Type.String()),
  caller_name: Type.String(),
  act: Type.String(),
  target_id: Nullable(Type.String()),
  details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  reason: Nullable(Type.String()),
  hash: Type.String({ description: 'SHA-256 over this entry and the hash of the one before' }),
});
export const AuditPage = Shape('AuditPage', {
  entries: Type.Array(AuditEntry),
  next: Nullable(Int32({ description: '`before` of the next page; null: this is the last one' })),
});

export const AuditCheck = Shape('AuditCheck', {
  entries: Int32({ description: 'entries up to the last sound one' }),
  hash: Type.String({ description: 'of that entry. Keep both: a later check tells whether entries were removed' }),
  fault: Nullable(Shape('AuditFault', { seq: Int32(), problem: Type.String() })),
});

export const RequiredReasons = Shape('RequiredReasons', {
  acts: Type.Array(Type.Enum([...actsWithReason], { type: 'string' }), { maxItems: 100 }),
});
