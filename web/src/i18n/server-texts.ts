import { useLanguage } from './language.ts';
import { japaneseStatus } from './server-sentences.ts';
import { algorithmNames, choiceTexts, fieldTexts, parameterTexts, stepHelps } from './server-words.ts';

/** Names and hints of the server in the language of the page. */
export function useServerTexts() {
  const japanese = useLanguage() === 'ja';
  return {
    parameterName: (name: string, given: string): string => (japanese ? parameterTexts[name]?.[0] : undefined) ?? given,
    parameterHelp: (name: string, given: string): string => (japanese ? parameterTexts[name]?.[1] : undefined) ?? given,
    /** The `status_text` of a model or an item. */
    status: (text: string): string => (japanese ? japaneseStatus(text) : text),
    algorithmName: (id: string, given: string): string => (japanese ? algorithmNames[id] : undefined) ?? given,
    choice: (value: string | number): string => choiceTexts[value]?.[japanese ? 1 : 0] ?? String(value),
    stepHelp: (name: string, given: string): string => (japanese ? stepHelps[name] : undefined) ?? given,
    fieldName: (name: string): string => (japanese ? fieldTexts[name] : undefined) ?? name.replaceAll('_', ' '),
    /** The Japanese field names need no hint. */
    fieldHint: (name: string, given: string | undefined): string | undefined =>
      japanese && fieldTexts[name] !== undefined ? undefined : given,
  };
}
