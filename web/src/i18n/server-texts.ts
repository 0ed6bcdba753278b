import type { AlgorithmParameter } from '../../../src/client/shapes.ts';
import type { ConfigSchema } from '../api/queries.ts';
import { language } from '../preferences.ts';
import { type MessageKey, messages } from './messages.ts';
import {
  algorithmNames,
  automaticValues,
  choiceTexts,
  englishHint,
  fieldTexts,
  parameterHelpOf,
  parameterTexts,
  stepHelps,
} from './server-words.ts';
import { t } from './text.ts';

// The server names algorithms, parameters and steps in English only. `given` is what it sent.
const inJapanese = <T>(words: Readonly<Record<string, T>>, key: string): T | undefined =>
  language.get() === 'ja' ? words[key] : undefined;

export const parameterName = (name: string, given: string): string => inJapanese(parameterTexts, name)?.[0] ?? given;
export const parameterHelp = ({ algorithm_id, name, help }: AlgorithmParameter): string =>
  (language.get() === 'ja' ? parameterHelpOf(algorithm_id, name) : undefined) ?? help ?? '';
export const algorithmName = (id: string): string => inLanguage(algorithmNames[id]) ?? id;
export const stepHelp = (name: string, given: string): string => inJapanese(stepHelps, name) ?? given;
const inLanguage = (texts: readonly [en: string, ja: string] | undefined): string | undefined =>
  texts?.[language.get() === 'ja' ? 1 : 0];

export const fieldName = (name: string): string => inLanguage(fieldTexts[name]) ?? name;
/** The Japanese field names need no hint. */
export const fieldHint = (name: string, field: ConfigSchema): string | undefined =>
  inJapanese(fieldTexts, name) === undefined ? englishHint(field) : undefined;
export const choiceText = (value: string): string => inLanguage(choiceTexts[value]) ?? value;
export const parameterValue = (name: string, value: string): string =>
  choiceText(value === automaticValues[name] ? 'auto' : value);
export const stepTitle = (name: string): string => (Object.hasOwn(messages.en, name) ? t(name as MessageKey) : name);
