import { expect, it } from 'vitest';
import { redactSecrets } from './debug-logs.service.ts';

it.each([
  ['a token', 'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln in', 'got [redacted] in'],
  ['a header', 'authorization: Bearer abc.def-123', 'authorization: Bearer [redacted]'],
  ['a signing key', '"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"', '"[redacted]"'],
  ['a signed link', '/files/a.png?expires=1&signature=Ab_c-9', '/files/a.png?expires=1&signature=[redacted]'],
  ['a secret in JSON', '{"client_secret": "hush", "a":1}', '{"client_secret": "[redacted]", "a":1}'],
  ['a database URL', 'postgres://user:hush@db:5432/kensa', 'postgres://[redacted]@db:5432/kensa'],
  ['a password hash', '"$argon2id$v=19$m=1$abc"', '"[redacted]"'],
])('takes out %s', (_what, text, expected) => {
  expect(redactSecrets(text)).toBe(expected);
});

it('leaves ordinary lines as they are', () => {
  const line = '{"level":30,"time":1,"route":"/api/v1/models/:model_id","status":200,"msg":"request"}\n';
  expect(redactSecrets(line)).toBe(line);
});
