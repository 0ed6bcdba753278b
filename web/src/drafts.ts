import { useEffect, useState } from 'react';

interface Draft<Value> {
  /** What was saved when the draft was last shown. */
  readonly saved: Value;
  readonly value: Value;
}

type Drafts<Value> = ReturnType<typeof createDrafts<Value>>;

/**
 * Unsaved values by id. They stay in this tab while another screen is shown, and the browser asks before the page is
 * left. Where another client has meanwhile saved a value, or deleted it, the draft no longer applies.
 * @param listSaved what is saved now, by id
 */
export function createDrafts<Value>(
  listSaved: () => readonly (readonly [id: string, saved: Value])[],
  isSame: (one: Value, other: Value) => boolean,
) {
  const drafts = new Map<string, Draft<Value>>();
  const find = (id: string, saved: Value): Value | undefined => {
    const draft = drafts.get(id);
    return draft && isSame(draft.saved, saved) ? draft.value : undefined;
  };
  const askToStay = (event: BeforeUnloadEvent): void => {
    if (listSaved().some(([id, saved]) => find(id, saved) !== undefined)) event.preventDefault();
  };
  const set = (id: string, draft: Draft<Value> | undefined): void => {
    if (draft) drafts.set(id, draft);
    else drafts.delete(id);
    if (drafts.size > 0) addEventListener('beforeunload', askToStay);
    else removeEventListener('beforeunload', askToStay);
  };
  return { find, set, isSame };
}

/** @returns the unsaved value, if there is one, and what replaces it */
export function useDraft<Value>({ find, set, isSame }: Drafts<Value>, id: string, saved: Value) {
  const [value, replace] = useState(() => find(id, saved));
  const draft = value !== undefined && !isSame(value, saved) ? value : undefined;
  useEffect(() => {
    set(id, draft && { saved, value: draft });
    if (draft === undefined) replace(undefined);
  }, [set, id, saved, draft]);
  return [draft, replace] as const;
}
