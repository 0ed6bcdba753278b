import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { Algorithm } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';
import { algorithmsQuery, inProgress, problemsOf, readinessQuery, refreshAll } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox, ErrorNote, Form, SelectField, TextField } from '../../components/field.tsx';
import { Card, Loaded, Page, PageHeader } from '../../components/page.tsx';
import { algorithmName } from '../../i18n/server-texts.ts';
import { type MessageKey, t } from '../../i18n/text.ts';
import { useProduct } from '../../product.ts';
import { TrainingRun } from '../model/model-actions.tsx';
import { useModels } from '../model/use-models.ts';
import { ParameterFields, type ParameterValues } from './parameter-fields.tsx';
import { missingFor, ReadinessCheck } from './readiness-check.tsx';
import { estimateTraining } from './training-estimate.ts';

export function TrainScreen() {
  const state = useLocation().state as { itemIds?: string[]; targetId?: number } | null;
  const { productId, defaultId } = useProduct();
  const targetId = state?.targetId ?? productId ?? defaultId;
  const algorithms = useQuery(algorithmsQuery());
  // A training of another client too.
  const running = useModels().models.find(inProgress);
  return (
    <Page>
      <PageHeader title={t('trainTitle')} />
      {running && <TrainingRun model={running} />}
      <Loaded query={algorithms}>
        {(list) => <TrainForm key={targetId} algorithms={list} chosen={state?.itemIds} product={targetId} />}
      </Loaded>
    </Page>
  );
}

interface TrainFormProps {
  algorithms: readonly Algorithm[];
  /** Items chosen in the gallery; undefined: all. */
  chosen: readonly string[] | undefined;
  /** Undefined while the products are loaded. */
  product: number | undefined;
}

export function TrainForm({ algorithms, chosen, product }: TrainFormProps) {
  const navigate = useNavigate();
  const [algorithmId, setAlgorithmId] = useState(algorithms[0]?.algorithm_id ?? '');
  const [values, setValues] = useState<ParameterValues>({});
  const [itemIds, setItemIds] = useState(chosen);
  const [name, setName] = useState('');
  const { targets, isChoice } = useProduct();
  const [targetId, setTargetId] = useState(product);
  const [isMixed, setMixed] = useState(false);
  const readiness = useQuery(readinessQuery(algorithmId, targetId, itemIds));
  const train = useMutation({
    mutationFn: () => {
      const body = {
        ...(name.trim() ? { name: name.trim() } : {}),
        ...(itemIds ? { item_ids: [...itemIds], mix_targets: isMixed } : {}),
        ...(targetId === undefined ? {} : { target_id: targetId }),
        override_params: Object.entries(values).map(([id, value]) => ({ algorithm_parameter_id: Number(id), value })),
      };
      const params = { path: { algorithm_id: algorithmId } };
      return dataOf(api.POST('/api/v1/algorithms/{algorithm_id}/train', { params, body }));
    },
    onSuccess: ({ model_id }) => {
      navigate(`/models/${model_id}?tab=details`);
      return refreshAll();
    },
    // The form shows the error.
    onError: () => undefined,
  });
  const choose = (id: string) => {
    setAlgorithmId(id);
    setValues({});
    train.reset();
  };
  const algorithm = algorithms.find((one) => one.algorithm_id === algorithmId);
  if (!algorithm) return null;
  const ready = readiness.data !== undefined && missingFor(algorithm, readiness.data) === undefined;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[1fr_22rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <AlgorithmChoice algorithms={algorithms} current={algorithmId} onChange={choose} />
        <ParameterFields
          key={algorithmId}
          algorithm={algorithm}
          values={values}
          problems={problemsOf(train.error)}
          onChange={setValues}
        />
      </div>
      <Card title={t('trainingItems')} className="lg:sticky lg:top-6">
        <Form onSubmit={train.mutate} className="flex flex-col gap-4">
          {itemIds && (
            <p className="flex flex-wrap items-center gap-2">
              {t('chosenItems', { n: itemIds.length })}
              <Button label={t('useAllInstead')} size="small" onClick={() => setItemIds(undefined)} />
            </p>
          )}
          {isChoice && (
            <SelectField
              label={t('product')}
              value={targetId ?? ''}
              options={targets.map((one) => [one.target_id, one.name])}
              onChange={(id) => setTargetId(Number(id))}
            />
          )}
          {isChoice && itemIds && (
            <Checkbox label={t('mixProducts')} checked={isMixed} onChange={() => setMixed(!isMixed)} />
          )}
          <Loaded query={readiness}>{(data) => <ReadinessCheck readiness={data} algorithm={algorithm} />}</Loaded>
          {ready && <ExpectedTime algorithm={algorithm} images={readiness.data.images} values={values} />}
          <TextField
            label={t('modelName')}
            hint={t('modelNameHint')}
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          {train.error && <ErrorNote>{train.error.message}</ErrorNote>}
          <Button
            needs="engineer"
            label={t('startTraining')}
            type="submit"
            look="primary"
            disabled={!ready || train.isPending}
          />
        </Form>
      </Card>
    </div>
  );
}

interface ExpectedTimeProps {
  algorithm: Algorithm;
  images: number;
  values: ParameterValues;
}

/** How long the training may take. */
function ExpectedTime({ algorithm, images, values }: ExpectedTimeProps) {
  const { models } = useModels();
  const size = algorithm.parameters.find(({ name }) => name === 'image_size');
  const imageSize = Number(size && (values[size.algorithm_parameter_id] ?? size.value));
  const estimate = estimateTraining(models, { algorithmId: algorithm.algorithm_id, images, imageSize });
  if (!estimate) return <p className="text-[13px] text-ink-soft">{t('estimateUnknown')}</p>;
  const { seconds, trainings: n } = estimate;
  const minutes = Math.round(seconds / 60);
  return (
    <p className="text-[13px] text-ink-soft">
      {seconds < 60 ? t('estimateShort', { n }) : t('estimateMinutes', { minutes, n })}
    </p>
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
  return (
    <fieldset className="rounded-lg border border-line bg-surface p-4">
      <legend className="float-left mb-3 w-full text-[15px] font-semibold">{t('algorithm')}</legend>
      <div className="clear-both grid gap-2 sm:grid-cols-2">
        {algorithms.map(({ algorithm_id: id, type, attribute }) => (
          <Checkbox
            key={id}
            type="radio"
            name="algorithm"
            label={
              <>
                <span className="block font-medium">{algorithmName(id)}</span>
                <span className="block text-[13px] text-ink-soft">
                  {t(types[type])} · {t(attribute === 'supervised' ? 'needsDefects' : 'needsGoodOnly')}
                </span>
              </>
            }
            className="cursor-pointer rounded-lg border border-line p-3 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
            checked={id === current}
            onChange={() => onChange(id)}
          />
        ))}
      </div>
    </fieldset>
  );
}
