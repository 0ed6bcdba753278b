import { Value } from 'typebox/value';
import { expect } from 'vitest';
import { BaseError } from '../../src/http/common-schemas.ts';
import type { Answer } from './test-service.ts';

interface ErrorBody {
  code: string;
  values: object;
  message: { key: string; errors: string[] }[];
  status: number;
  detail: string;
  source: { pointer: string };
  title: string;
}

/** The answer is an error of this status with the contract's body; `key` names the bad field. */
export function expectError(answer: Answer, status: number, key?: string): ErrorBody {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  expect(Value.Check(BaseError, answer.body), JSON.stringify(answer.body)).toBe(true);
  const errors = (answer.body as unknown as { errors: ErrorBody }).errors;
  expect(errors.status).toBe(status);
  expect(errors.detail.length).toBeGreaterThan(10);
  if (key !== undefined) expect(errors.message.map((problem) => problem.key)).toContain(key);
  return errors;
}
