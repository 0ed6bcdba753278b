import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { KensaError } from '../../../../src/client/kensa-error.ts';
import type { Algorithm, Readiness, Schemas } from '../../../../src/client/shapes.ts';
import { trainModel } from '../../api/mutations.ts';
import { readinessQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { TextField } from '../../components/field.tsx';
import { Loaded } from '../../components/loading.tsx';
import { useText } from '../../i18n/use-text.ts';
import { AlgorithmChoice } from './algorithm-choice.tsx';
import { ParameterFields } from './parameter-fields.tsx';
import { ReadinessCheck } from './readiness-check.tsx';

interface TrainFormProps {
  algorithms: readonly Algorithm[];
  /** Items chosen in the gallery; absent: all. */
  chosen?: readonly string[];
  onStarted: (modelId: string) => void;
}

export function TrainForm({ algorithms, chosen, onStarted }: TrainFormProps) {
  const t = useText();
  const queryClient = useQueryClient();
  const [algorithmId, setAlgorithmId] = useState(algorithms[0]?.algorithm_id ?? '');
  const [itemIds, setItemIds] = useState(chosen);
  const [name, setName] = useState('');
  const [values, setValues] = useState<Readonly<Record<number, string>>>({});
  const algorithm = algorithms.find((one) => one.algorithm_id === algorithmId);
  const readiness = useQuery(readinessQuery(algorithmId, itemIds));
  const train = useMutation({
    mutationFn: (body: Schemas['TrainRequest']) => trainModel(algorithmId, body),
    onSuccess: async (model) => {
      onStarted(model.model_id);
      await queryClient.invalidateQueries();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const overrides = Object.entries(values).map(([id, value]) => ({ algorithm_parameter_id: Number(id), value }));
    train.mutate({
      ...(name.trim() ? { name: name.trim() } : {}),
      ...(itemIds ? { item_ids: [...itemIds] } : {}),
      override_params: overrides,
    });
  };
  const problems = train.error instanceof KensaError ? train.error.problems : [];
  const canTrain = algorithm !== undefined && isReady(readiness.data, algorithm);

  return (
    <form onSubmit={submit} className="grid items-start gap-4 lg:grid-cols-[1fr_22rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <AlgorithmChoice
          algorithms={algorithms}
          current={algorithmId}
          onChange={(id) => {
            setAlgorithmId(id);
            setValues({});
          }}
        />
        {algorithm && <ParameterFields {...{ algorithm, values, problems }} onChange={setValues} />}
      </div>
      <Card title={t('trainingItems')} className="lg:sticky lg:top-6">
        <div className="flex flex-col gap-4">
          {itemIds && <ChosenItems count={itemIds.length} onAll={() => setItemIds(undefined)} />}
          <Loaded query={readiness}>
            {(data) => algorithm && <ReadinessCheck readiness={data} algorithm={algorithm} />}
          </Loaded>
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
          <Button type="submit" look="primary" disabled={!canTrain || train.isPending}>
            {t('startTraining')}
          </Button>
        </div>
      </Card>
    </form>
  );
}

function isReady(readiness: Readiness | undefined, algorithm: Algorithm): boolean {
  if (!readiness || readiness.good === 0) return false;
  return algorithm.attribute === 'unsupervised' || readiness.ng > 0;
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
