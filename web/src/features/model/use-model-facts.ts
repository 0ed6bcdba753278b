import { useQuery } from '@tanstack/react-query';
import type { Model } from '../../../../src/client/shapes.ts';
import { algorithmsQuery } from '../../api/queries.ts';
import { choiceText, fieldName, parameterName, parameterValue, stepTitle } from '../../i18n/server-texts.ts';
import { t } from '../../i18n/text.ts';
import { useProduct } from '../../product.ts';

/** What a model was trained with: names and values. */
export function useModelFacts(): (model: Model) => [name: string, value: string][] {
  const algorithms = useQuery(algorithmsQuery()).data ?? [];
  const parameters = algorithms.flatMap((algorithm) => algorithm.parameters);
  const { targets } = useProduct();
  const titleOf = (name: string): string =>
    parameterName(name, parameters.find((parameter) => parameter.name === name)?.display_name ?? name);
  return (model) => {
    const product = targets.find((target) => target.target_id === model.context_id);
    return [
      [t('product'), product?.name ?? String(model.context_id)],
      [t('steps'), stepsText(model)],
      ...Object.entries(model.parameters ?? {}).map(([name, value]): [string, string] => [
        titleOf(name),
        parameterValue(name, String(value)),
      ]),
    ];
  };
}

/** The steps with their settings, but for what was drawn. */
function stepsText({ preprocessing = [] }: Model): string {
  const texts = preprocessing.map(({ name, config }) => {
    const settings = Object.entries(JSON.parse(config ?? '{}') as Record<string, unknown>)
      .filter(([, value]) => typeof value !== 'object')
      .map(([field, value]) => `${fieldName(field)} ${choiceText(String(value))}`);
    return settings.length > 0 ? `${stepTitle(name)} (${settings.join(', ')})` : stepTitle(name);
  });
  return texts.length > 0 ? texts.join(' → ') : t('noStepsShort');
}
