import type { AppError, FieldProblem, Language } from '../errors.ts';

/** The contract's one error body. */
export function errorBody(error: AppError, pointer: string, language: Language) {
  return {
    errors: {
      message: oneEntryPerKey(error.problems),
      status: error.status,
      detail: error.detail(language),
      source: { pointer },
      title: error.title(language),
    },
  };
}

function oneEntryPerKey(problems: readonly FieldProblem[]): FieldProblem[] {
  const byKey = new Map<string, Set<string>>();
  for (const { key, errors } of problems) byKey.set(key, new Set([...(byKey.get(key) ?? []), ...errors]));
  return [...byKey].map(([key, errors]) => ({ key, errors: [...errors] }));
}
