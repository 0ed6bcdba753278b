import { type ChangeEvent, useState } from 'react';

/**
 * For a number field: what is typed stays as it is until the field is left, so that it can be emptied and typed anew.
 * `onNumber` hears only of numbers.
 */
export function useNumberDraft(value: number | undefined, onNumber: (value: number) => void) {
  const [draft, setDraft] = useState<string>();
  return {
    value: draft ?? (value === undefined ? '' : String(value)),
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      setDraft(target.value);
      if (!Number.isNaN(target.valueAsNumber)) onNumber(target.valueAsNumber);
    },
    onBlur: () => setDraft(undefined),
  };
}
