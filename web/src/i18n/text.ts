import { language } from '../preferences.ts';
import { fillIn, type MessageKey, messages, type Values } from './messages.ts';

export type { MessageKey } from './messages.ts';

/** A text of the page in the chosen language. The page renders anew when the language changes. */
export function t(key: MessageKey, values: Values = {}): string {
  return fillIn(messages[language.get()][key], values);
}

export const timeText = (time: string): string => new Date(time).toLocaleString(language.get());
export const clockText = (time: string): string => new Date(time).toLocaleTimeString(language.get());
export const dateText = (time: string): string => new Date(time).toLocaleDateString(language.get());

/** A share from 0 to 1 as `12.5 %`, with a space that keeps a line together. */
export function percent(share: number | null | undefined): string {
  return share === null || share === undefined ? '–' : `${(100 * share).toFixed(1)}\u00a0%`;
}
