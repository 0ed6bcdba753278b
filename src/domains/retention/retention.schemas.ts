import Type, { type Static } from 'typebox';
import { DateTime, Id, Int32, Nullable, Shape, StatusMessage } from '../../http/common-schemas.ts';
import { GetItemsQuery, Item } from '../items/items.schemas.ts';

const days = (description: string) => Nullable(Int32({ minimum: 1, maximum: 36_500, description }));
const bytes = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

const Verdict = Type.Enum(['OK', 'NG', 'unjudged'], {
  type: 'string',
  description: 'a person’s verdict; without one NG where any model says NG, else OK where any says OK',
});

const rule = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  everywhere: Type.Boolean({ description: 'for every item whose station names no rule of its own' }),
  image_days: Shape('ImageDays', {
    OK: days('days after which images of OK items go; null: as long as the record'),
    NG: days('the same of NG items'),
    unjudged: days('the same of items without a verdict'),
  }),
  record_days: days('days after which items go with all that belongs to them; null: never'),
  keep_thumbnails: Type.Boolean({ description: 'a removed image leaves its thumbnail' }),
  when_short: Type.Array(Verdict, {
    maxItems: 3,
    description:
      'the verdicts whose images may go before their time when the disk is short: the first verdict first, the oldest image first',
  }),
};

export const RetentionRule = Shape('RetentionRule', {
  retention_id: Type.String(),
  ...rule,
  station_ids: Type.Array(Type.String(), { description: 'the stations that name it' }),
  created_at: DateTime(),
  updated_at: DateTime(),
});

const changes = {
  everywhere: Type.Optional(rule.everywhere),
  image_days: Type.Optional(rule.image_days),
  record_days: Type.Optional(rule.record_days),
  keep_thumbnails: Type.Optional(rule.keep_thumbnails),
  when_short: Type.Optional(rule.when_short),
};
export const NewRetentionRule = Shape('NewRetentionRule', { name: rule.name, ...changes });
export const RetentionRuleChanges = Shape('RetentionRuleChanges', { name: Type.Optional(rule.name), ...changes });
export const DeletedRetentionRule = Shape('DeletedRetentionRule', { retention_id: Type.String() });
export const RetentionIdParams = Type.Object({ retention_id: Id('rule') });

const settings = {
  min_free_bytes: Nullable(bytes('room that stays free; null: see min_free_percent')),
  min_free_percent: Nullable(
    Type.Number({ exclusiveMinimum: 0, maximum: 90, description: 'share of the room that stays free' }),
  ),
  capacity_bytes: Nullable(bytes('room for images; null: the disk. Needed for a bucket, which has no end')),
  daily_at: Type.String({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    description: 'time of the daily run on the clock of the server, such as 02:00',
  }),
};
export const RetentionSettings = Shape('RetentionSettings', settings);
export const RetentionSettingsChanges = Shape('RetentionSettingsChanges', {
  min_free_bytes: Type.Optional(settings.min_free_bytes),
  min_free_percent: Type.Optional(settings.min_free_percent),
  capacity_bytes: Type.Optional(settings.capacity_bytes),
  daily_at: Type.Optional(settings.daily_at),
});

const removed = {
  items: Int32({ description: 'items whose images go and whose record stays' }),
  images: Int32({ description: 'images that go, with or without their record' }),
  records: Int32({ description: 'items that go with all that belongs to them' }),
  bytes: bytes('size of these images as uploaded'),
};

const RemovedPart = Shape('RemovedPart', {
  reason: Type.Enum(['images', 'records', 'space'], {
    type: 'string',
    description: 'images: their days are over; records: those of the record; space: the disk was short',
  }),
  verdict: Verdict,
  ...removed,
});

export const RetentionRun = Shape('RetentionRun', {
  run_id: Type.String(),
  cause: Type.Enum(['daily', 'space', 'request'], { type: 'string' }),
  status: Type.Enum(['waiting', 'running', 'done', 'failed'], { type: 'string' }),
  started_at: DateTime(),
  ended_at: Nullable(DateTime()),
  ...removed,
  removed: Type.Array(RemovedPart),
  free_before: Nullable(bytes('of the room for images')),
  free_after: Nullable(bytes('of the room for images')),
  status_text: Nullable(Type.String({ description: 'why it failed, or could not make enough room' })),
  status_messages: Type.Array(StatusMessage),
});

export const RetentionRunPage = Shape('RetentionRunPage', {
  runs: Type.Array(RetentionRun, { description: 'newest first' }),
  total: Int32(),
});
export const RetentionRunsQuery = Type.Object(
  {
    count: Int32({ minimum: 1, maximum: 200, default: 20 }),
    page: Int32({ minimum: 1, maximum: 1_000_000, default: 1 }),
  },
  { additionalProperties: false },
);

export const RetentionPreviewBody = Shape('RetentionPreviewBody', {
  retention_id: Type.Optional(Id('the saved rule that `rule` takes the place of')),
  rule: Type.Optional(NewRetentionRule),
});

export const RetentionPreview = Shape('RetentionPreview', {
  as_of: DateTime(),
  ...removed,
  removed: Type.Array(RemovedPart),
  by_age: Type.Array(
    Shape('RemovedAge', {
      from_days: Int32(),
      to_days: Nullable(Int32()),
      items: Int32({ description: 'items that lose their images, or go' }),
      bytes: bytes('size of their images'),
    }),
  ),
  examples: Type.Array(Item, { description: 'the oldest of each part' }),
  missing_bytes: bytes('what would still be missing to the room that stays free'),
});

export const RetentionState = Shape('RetentionState', {
  settings: RetentionSettings,
  disk: Nullable(
    Shape('RetentionDisk', {
      total_bytes: bytes('room for images and all else on their disk, or `capacity_bytes`'),
      free_bytes: bytes('of it'),
      floor_bytes: Nullable(bytes('what stays free')),
      added_bytes_per_day: bytes('images of the last 24 hours'),
      removed_bytes_per_day: bytes('images that went by age in the last 24 hours'),
      days_until_full: Nullable(
        Type.Number({ description: 'until only `floor_bytes` is free, at today’s rate; null: not at this rate' }),
      ),
    }),
  ),
  refuses_uploads: Type.Boolean({ description: 'the disk is short, and nothing may be removed' }),
  status_text: Nullable(Type.String({ description: 'why it refuses uploads' })),
  status_messages: Type.Array(StatusMessage),
  last_run: Nullable(RetentionRun),
  next_daily_at: Nullable(DateTime()),
});

const { station_id, lot, serial, field, name, from, until } = GetItemsQuery.properties;
export const HoldFilter = Shape('HoldFilter', { station_id, lot, serial, field, name, from, until });

const hold = {
  reason: Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S' }),
  filter: Type.Optional(HoldFilter),
};
export const NewHold = Shape('NewHold', {
  ...hold,
  item_ids: Type.Optional(
    Type.Array(Id('item'), { minItems: 1, maxItems: 100_000, description: 'the items to hold; or send `filter`' }),
  ),
});
export const Hold = Shape('Hold', {
  hold_id: Type.String(),
  reason: Type.String(),
  filter: Nullable(HoldFilter),
  items: Int32({ description: 'items that it holds now' }),
  created_at: DateTime(),
});
export const DeletedHold = Shape('DeletedHold', { hold_id: Type.String() });
export const HoldIdParams = Type.Object({ hold_id: Id('hold') });

export type RetentionRuleView = Static<typeof RetentionRule>;
export type NewRetentionRuleInput = Static<typeof NewRetentionRule>;
export type RetentionRuleChangesInput = Static<typeof RetentionRuleChanges>;
export type RetentionSettingsValues = Static<typeof RetentionSettings>;
export type RetentionSettingsInput = Static<typeof RetentionSettingsChanges>;
export type RetentionRunView = Static<typeof RetentionRun>;
export type RetentionPreviewInput = Static<typeof RetentionPreviewBody>;
export type RetentionPreviewView = Static<typeof RetentionPreview>;
export type RetentionStateView = Static<typeof RetentionState>;
export type HoldFilterInput = Static<typeof HoldFilter>;
export type NewHoldInput = Static<typeof NewHold>;
export type HoldView = Static<typeof Hold>;
export type RemovedPartView = Static<typeof RemovedPart>;
