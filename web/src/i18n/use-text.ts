import { useCallback } from 'react';
import { useLanguage } from './language.ts';
import { type MessageKey, messages } from './messages/index.ts';
import { fillIn, type Values } from './translate.ts';

export type Translate = (key: MessageKey, values?: Values) => string;

/** The texts of the page in the chosen language. */
export function useText(): Translate {
  const index = useLanguage() === 'ja' ? 1 : 0;
  return useCallback((key, values = {}) => fillIn(messages[key][index], values), [index]);
}
