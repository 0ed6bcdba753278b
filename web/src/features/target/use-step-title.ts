import type { StepInfo } from '../../api/queries.ts';
import { type MessageKey, messages } from '../../i18n/messages/index.ts';
import { t } from '../../i18n/text.ts';

/** The name of a step in the language of the page. For a step that the page does not know, the name of the server. */
export function useStepTitle(catalogue: readonly StepInfo[]): (name: string) => string {
  return (name) =>
    Object.hasOwn(messages, name)
      ? t(name as MessageKey)
      : (catalogue.find((info) => info.name === name)?.title ?? name);
}
