import { useLanguage } from './language.ts';
import { algorithmNames, choiceTexts, fieldTexts, parameterTexts, stepHelps } from './server-words.ts';

/** Names and hints of the server in the language of the page. */
export function useServerTexts() {
  const japanese = useLanguage() === 'ja';
  return {
    parameterName: (name: string, given: string): string => (japanese ? parameterTexts[name]?.[0] : undefined) ?? given,
    parameterHelp: (name: string, given: string): string => (japanese ? parameterTexts[name]?.[1] : undefined) ?? given,
    algorithmName: (id: string, given: string): string => (japanese ? algorithmNames[id] : undefined) ?? given,
    choice: (value: string | number): string => choiceTexts[value]?.[japanese ? 1 : 0] ?? String(value),
    stepHelp: (name: string, given: string): string => (japanese ? stepHelps[name] : undefined) ?? given,
    fieldName: (name: string): string => (japanese ? fieldTexts[name] : undefined) ?? name.replaceAll('_', ' '),
    /** The Japanese field names need no hint. */
    fieldHint: (name: string, given: string | undefined): string | undefined =>
      japanese && fieldTexts[name] !== undefined ? undefined : given,
  };
}

/** What the server says of a model beside that it is ready. The server answers in the language of the page. */
export function remarksOf({
  status_messages: messages = [],
}: {
  status_messages?: { code: string; text: string }[];
}): string {
  return messages
    .filter(({ code }) => code !== 'status.ready')
    .map(({ text }) => text)
    .join(' ');
}
