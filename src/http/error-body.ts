import type { AppError } from '../errors.ts';
import { type Language, render } from '../messages/message.ts';

/** The contract's one error body, with our code of the error. */
export function errorBody(error: AppError, pointer: string, language: Language) {
  const byKey = new Map<string, Set<string>>();
  for (const { key, errors } of error.problems) {
    const texts = errors.map((problem) => render(problem, language));
    byKey.set(key, new Set([...(byKey.get(key) ?? []), ...texts]));
  }
  return {
    errors: {
      code: error.code,
      values: error.detail.values,
      message: Array.from(byKey, ([key, texts]) => ({ key, errors: [...texts] })),
      status: error.status,
      detail: render(error.detail, language),
      source: { pointer },
      title: error.title(language),
    },
  };
}
