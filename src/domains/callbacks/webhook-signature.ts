import { createHmac } from 'node:crypto';

export interface WebhookMessage {
  /** The same at every try, so that a receiver can tell what it has seen. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** What is signed: the body, or for `get` the text of the query field `items`. */
  readonly content: string;
}

/** The key that a model's callbacks are signed with, as the Standard Webhooks specification writes keys. */
export function callbackSecret(masterKey: Uint8Array, modelId: string): string {
  return `whsec_${createHmac('sha256', masterKey).update(`callback:${modelId}`).digest('base64')}`;
}

/** The three headers of the Standard Webhooks specification, signature version 1. */
export function webhookHeaders(message: WebhookMessage, secret: string): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${message.id}.${message.timestamp}.${message.content}`;
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  };
}
