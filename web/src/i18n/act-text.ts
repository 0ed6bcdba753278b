import { messages } from './messages.ts';
import { type MessageKey, t } from './text.ts';

const keyOf = (act: string): string => `act.${act}`;
const isKnown = (key: string): key is MessageKey => key in messages.en;

/** A kind of act of the audit trail in words; one of a later release as it is. */
export function actText(act: string): string {
  const key = keyOf(act);
  return isKnown(key) ? t(key) : act;
}
