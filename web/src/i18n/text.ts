import { currentLanguage } from './language.ts';
import { type MessageKey, messages } from './messages/index.ts';
import { fillIn, type Values } from './translate.ts';

/** A text of the page in the chosen language. The page renders anew when the language changes. */
export function t(key: MessageKey, values: Values = {}): string {
  return fillIn(messages[key][currentLanguage() === 'ja' ? 1 : 0], values);
}

export const timeText = (time: string): string => new Date(time).toLocaleString(currentLanguage());
export const dateText = (time: string): string => new Date(time).toLocaleDateString(currentLanguage());

/** A share from 0 to 1 as `12.5 %`. */
export function percent(share: number | null | undefined): string {
  return share === null || share === undefined ? '–' : `${(100 * share).toFixed(1)} %`;
}
