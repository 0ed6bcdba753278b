import Type, { type Static } from 'typebox';
import { DateTime, Int32, Nullable, Shape } from '../../http/common-schemas.ts';

export const PredictCallback = Shape('PredictCallback', {
  callback_url: Type.Optional(
    Type.String({ maxLength: 2000, description: 'called after a prediction completes; empty: no callback' }),
  ),
  callback_method: Type.Optional(Type.Enum(['post', 'get'], { type: 'string' })),
});

export const CallbackDelivery = Shape('CallbackDelivery', {
  delivery_id: Type.String(),
  item_id: Type.String(),
  status: Type.String({ description: 'pending, delivered or dead' }),
  attempts: Int32({ description: 'tries so far, at most 8' }),
  last_status: Nullable(Int32({ description: 'status that the receiver answered' })),
  last_error: Nullable(Type.String()),
  last_tried_at: Nullable(DateTime()),
  next_try_at: Nullable(DateTime()),
  created_at: DateTime(),
});

export const CallbackOverview = Shape('CallbackOverview', {
  callback_url: Type.String(),
  callback_method: Type.String(),
  secret: Type.String({ description: 'key of the signature in webhook-signature, see Standard Webhooks' }),
  pending: Int32(),
  delivered: Int32(),
  dead: Int32(),
  deliveries: Type.Array(CallbackDelivery),
});

export const CallbackTest = Shape('CallbackTest', {
  delivered: Type.Boolean(),
  status: Nullable(Int32({ description: 'status that the receiver answered' })),
  error: Nullable(Type.String()),
  duration_ms: Int32(),
});

export const CallbacksQuery = Type.Object(
  {
    count: Int32({ minimum: 1, maximum: 200, default: 50 }),
    page: Int32({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
  },
  { additionalProperties: false },
);

export type PredictCallbackInput = Static<typeof PredictCallback>;
export type CallbackOverviewView = Static<typeof CallbackOverview>;
export type CallbackTestView = Static<typeof CallbackTest>;
