import type { Algorithm } from '../../../../src/client/shapes.ts';
import { classNames } from '../../components/class-names.ts';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useServerTexts } from '../../i18n/server-texts.ts';
import { useText } from '../../i18n/use-text.ts';

const types: Record<Algorithm['type'], MessageKey> = {
  anomaly_detection: 'typeAnomaly',
  classification: 'typeClassification',
  object_detection: 'typeDetection',
};

interface AlgorithmChoiceProps {
  algorithms: readonly Algorithm[];
  current: string;
  onChange: (algorithmId: string) => void;
}

export function AlgorithmChoice({ algorithms, current, onChange }: AlgorithmChoiceProps) {
  const t = useText();
  const texts = useServerTexts();
  return (
    <fieldset className="rounded-lg border border-line bg-surface p-4">
      <legend className="float-left mb-3 w-full text-[15px] font-semibold">{t('chooseAlgorithm')}</legend>
      <div className="clear-both grid gap-2 sm:grid-cols-2">
        {algorithms.map((algorithm) => (
          <label
            key={algorithm.algorithm_id}
            className={classNames(
              'flex cursor-pointer items-start gap-3 rounded-lg border p-3',
              algorithm.algorithm_id === current ? 'border-accent bg-accent-soft' : 'border-line hover:bg-sunken',
            )}
          >
            <input
              type="radio"
              name="algorithm"
              className="mt-0.5 size-4 accent-(--accent)"
              checked={algorithm.algorithm_id === current}
              onChange={() => onChange(algorithm.algorithm_id)}
            />
            <span>
              <span className="block font-medium">{texts.algorithmName(algorithm.algorithm_id, algorithm.name)}</span>
              <span className="block text-[13px] text-ink-soft">
                {t(types[algorithm.type])} ·{' '}
                {t(algorithm.attribute === 'supervised' ? 'needsDefects' : 'needsGoodOnly')}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
