import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { KensaError } from '../../../../src/client/kensa-error.ts';
import type { Algorithm } from '../../../../src/client/shapes.ts';
import { trainModel } from '../../api/mutations.ts';
import { readinessQuery } from '../../api/queries.ts';
import { refreshAll } from '../../api/query-client.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { classNames } from '../../components/class-names.ts';
import { Form, TextField } from '../../components/field.tsx';
import { Loaded } from '../../components/loading.tsx';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useServerTexts } from '../../i18n/server-texts.ts';
import { useText } from '../../i18n/use-text.ts';
import { ParameterFields, type ParameterValues } from './parameter-fields.tsx';
import { missingFor, ReadinessCheck } from './readiness-check.tsx';

interface TrainFormProps {
  algorithms: readonly Algorithm[];
  /** Items chosen in the gallery; undefined: all. */
  chosen: readonly string[] | undefined;
  onStarted: (modelId: string) => void;
}

interface Order {
  readonly name: string;
  readonly itemIds: readonly string[] | undefined;
}

export function TrainForm({ algorithms, chosen, onStarted }: TrainFormProps) {
  const [algorithmId, setAlgorithmId] = useState(algorithms[0]?.algorithm_id ?? '');
  const [values, setValues] = useState<ParameterValues>({});
  const algorithm = algorithms.find((one) => one.algorithm_id === algorithmId);
  const train = useMutation({
    mutationFn: ({ name, itemIds }: Order) =>
      trainModel(algorithmId, {
        ...(name.trim() ? { name: name.trim() } : {}),
        ...(itemIds ? { item_ids: [...itemIds] } : {}),
        override_params: Object.entries(values).map(([id, value]) => ({ algorithm_parameter_id: Number(id), value })),
      }),
    onSuccess: (model) => {
      onStarted(model.model_id);
      return refreshAll();
    },
    // The form shows the error.
    onError: () => undefined,
  });
  const problems = train.error instanceof KensaError ? train.error.problems : [];
  const choose = (id: string) => {
    setAlgorithmId(id);
    setValues({});
    train.reset();
  };
  if (!algorithm) return null;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[1fr_22rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <AlgorithmChoice algorithms={algorithms} current={algorithmId} onChange={choose} />
        <ParameterFields
          key={algorithmId}
          algorithm={algorithm}
          values={values}
          problems={problems}
          onChange={setValues}
        />
      </div>
      <TrainingOrder
        algorithm={algorithm}
        chosen={chosen}
        busy={train.isPending}
        error={train.error}
        onTrain={train.mutate}
      />
    </div>
  );
}

interface TrainingOrderProps {
  algorithm: Algorithm;
  chosen: readonly string[] | undefined;
  busy: boolean;
  error: Error | null;
  onTrain: (order: Order) => void;
}

/** The training items, their readiness, and the button. */
function TrainingOrder({ algorithm, chosen, busy, error, onTrain }: TrainingOrderProps) {
  const t = useText();
  const [itemIds, setItemIds] = useState(chosen);
  const [name, setName] = useState('');
  const readiness = useQuery(readinessQuery(algorithm.algorithm_id, itemIds));
  const ready = readiness.data !== undefined && missingFor(algorithm, readiness.data) === undefined;
  return (
    <Card title={t('trainingItems')} className="lg:sticky lg:top-6">
      <Form onSubmit={() => onTrain({ name, itemIds })} className="flex flex-col gap-4">
        {itemIds && (
          <p className="flex flex-wrap items-center gap-2">
            {t('chosenItems', { n: itemIds.length })}
            <Button size="small" onClick={() => setItemIds(undefined)}>
              {t('useAllInstead')}
            </Button>
          </p>
        )}
        <Loaded query={readiness}>{(data) => <ReadinessCheck readiness={data} algorithm={algorithm} />}</Loaded>
        <TextField
          label={t('modelName')}
          hint={t('modelNameHint')}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {error && (
          <p role="alert" className="rounded-md bg-ng-soft px-3 py-2 text-ng">
            {error.message}
          </p>
        )}
        <Button type="submit" look="primary" disabled={!ready || busy}>
          {t('startTraining')}
        </Button>
      </Form>
    </Card>
  );
}

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

function AlgorithmChoice({ algorithms, current, onChange }: AlgorithmChoiceProps) {
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
