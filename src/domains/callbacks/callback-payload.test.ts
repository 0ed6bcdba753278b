import { expect, it } from 'vitest';
import { callbackSecret, webhookHeaders } from './callback-payload.ts';

it('signs as the example of the Standard Webhooks specification', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    content: '{"test": 2432232314}',
  };
  expect(webhookHeaders(message, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it('gives every model a key of its own, the same at every start', () => {
  const master = new Uint8Array(32).fill(7);
  const key = callbackSecret(master, 'model-a');
  expect(key).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(callbackSecret(master, 'model-a')).toBe(key);
  expect(callbackSecret(master, 'model-b')).not.toBe(key);
});
