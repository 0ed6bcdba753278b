import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { KensaError } from '../../../../src/client/kensa-error.ts';
import type { Algorithm } from '../../../../src/client/shapes.ts';
import { trainModel } from '../../api/mutations.ts';
import { readinessQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { TextField } from '../../components/field.tsx';
import { Loaded } from '../../components/loading.tsx';
import { useText } from '../../i18n/use-text.ts';
import { AlgorithmChoice } from './algorithm-choice.tsx';
import { missingFor } from './missing-for.ts';
import { ParameterFields, type ParameterValues } from './parameter-fields.tsx';
import { ReadinessCheck } from './readiness-check.tsx';

interface TrainFormProps {
  algorithms: readonly Algorithm[];
  /** Items chosen in the gallery; absent: all. */
  chosen?: readonly string[];
  onStarted: (modelId: string) => void;
}

export function TrainForm({ algorithms, chosen, onStarted }: TrainFormProps) {
  const [algorithmId, setAlgorithmId] = useState(algorithms[0]?.algorithm_id ?? '');
  const [values, setValues] = useState<ParameterValues>({});
  const algorithm = algorithms.find((one) => one.algorithm_id === algorithmId);
  const train = useTrain(algorithmId, values, onStarted);
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
        <ParameterFields key={algorithmId} {...{ algorithm, values, problems }} onChange={setValues} />
      </div>
      <TrainingOrder {...{ algorithm, chosen, train }} />
    </div>
  );
}

type Train = ReturnType<typeof useTrain>;

function useTrain(algorithmId: string, values: ParameterValues, onStarted: (modelId: string) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ name, itemIds }: { name: string; itemIds: readonly string[] | undefined }) =>
      trainModel(algorithmId, {
        ...(name.trim() ? { name: name.trim() } : {}),
        ...(itemIds ? { item_ids: [...itemIds] } : {}),
        override_params: Object.entries(values).map(([id, value]) => ({ algorithm_parameter_id: Number(id), value })),
      }),
    onSuccess: async (model) => {
      onStarted(model.model_id);
      await queryClient.invalidateQueries();
    },
  });
}

interface TrainingOrderProps {
  algorithm: Algorithm;
  chosen: readonly string[] | undefined;
  train: Train;
}

/** What it learns from, whether that is enough, and the button. */
function TrainingOrder({ algorithm, chosen, train }: TrainingOrderProps) {
  const t = useText();
  const [itemIds, setItemIds] = useState(chosen);
  const [name, setName] = useState('');
  const readiness = useQuery(readinessQuery(algorithm.algorithm_id, itemIds));
  const ready = readiness.data !== undefined && missingFor(algorithm, readiness.data) === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    train.mutate({ name, itemIds });
  };
  return (
    <Card title={t('trainingItems')} className="lg:sticky lg:top-6">
      <form onSubmit={submit} className="flex flex-col gap-4">
        {itemIds && <ChosenItems count={itemIds.length} onAll={() => setItemIds(undefined)} />}
        <Loaded query={readiness}>{(data) => <ReadinessCheck readiness={data} algorithm={algorithm} />}</Loaded>
        <TextField
          label={t('modelName')}
          hint={t('modelNameHint')}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {train.error && (
          <p role="alert" className="rounded-md bg-ng-soft px-3 py-2 text-ng">
            {train.error.message}
          </p>
        )}
        <Button type="submit" look="primary" disabled={!ready || train.isPending}>
          {t('startTraining')}
        </Button>
      </form>
    </Card>
  );
}

function ChosenItems({ count, onAll }: { count: number; onAll: () => void }) {
  const t = useText();
  return (
    <p className="flex flex-wrap items-center gap-2">
      {t('chosenItems', { n: count })}
      <Button size="small" onClick={onAll}>
        {t('useAllInstead')}
      </Button>
    </p>
  );
}
