import { useMutation } from '@tanstack/react-query';
import { KensaError } from '../../../../src/client/kensa-error.ts';
import type { Model, ModelScores, PredictParameters } from '../../../../src/client/shapes.ts';
import { savePredictParameters } from '../../api/mutations.ts';
import { refreshAll } from '../../api/query-client.ts';
import { ActionButton, Button } from '../../components/button.tsx';
import { Form, TextField, useNumberDraft } from '../../components/field.tsx';
import { showError, showToast } from '../../components/toast.tsx';
import { useText } from '../../i18n/use-text.ts';
import { usePredict } from '../items/use-predict.ts';
import { roundThreshold } from './score-histogram.tsx';

interface ParameterFormProps {
  model: Model;
  saved: PredictParameters;
  parameters: PredictParameters;
  scores: ModelScores;
  onChange: (parameters: PredictParameters) => void;
}

export function ParameterForm({ model, saved, parameters, scores, onChange }: ParameterFormProps) {
  const t = useText();
  const predict = usePredict();
  const save = useMutation({
    mutationFn: () => savePredictParameters(model.model_id, parameters),
    onSuccess: () => {
      showToast(t('savedParameters'));
      return refreshAll();
    },
    // A field shows its own error.
    onError: (error) => (error instanceof KensaError && error.problems.length > 0 ? undefined : showError(error)),
  });
  const itemIds = scores.items.map((item) => item.item_id);
  const problemOf = (key: string) =>
    save.error instanceof KensaError
      ? save.error.problems.find((problem) => problem.key === key)?.errors.join(' ')
      : undefined;
  const changed = JSON.stringify(saved) !== JSON.stringify(parameters);
  return (
    <Form onSubmit={() => save.mutate()} className="flex flex-col gap-3">
      <ParameterInputs parameters={parameters} problemOf={problemOf} onChange={onChange} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" disabled={!changed || save.isPending || model.status !== 'ready'}>
          {t('saveThreshold')}
        </Button>
        {changed && (
          <Button onClick={() => onChange(saved)}>{t('revert', { value: saved.threshold.toFixed(3) })}</Button>
        )}
        {!changed && itemIds.length > 0 && (
          <ActionButton action={() => predict(model.model_id, itemIds)}>
            {t('reinspect', { n: itemIds.length })}
          </ActionButton>
        )}
      </div>
    </Form>
  );
}

interface ParameterInputsProps {
  parameters: PredictParameters;
  problemOf: (name: string) => string | undefined;
  onChange: (parameters: PredictParameters) => void;
}

function ParameterInputs({ parameters, problemOf, onChange }: ParameterInputsProps) {
  const t = useText();
  const threshold = useNumberDraft(parameters.threshold, (value) => onChange({ ...parameters, threshold: value }));
  const area = useNumberDraft(parameters.min_detected_area, (value) =>
    onChange({ ...parameters, min_detected_area: value }),
  );
  return (
    <>
      <TextField
        label={t('threshold')}
        type="number"
        min="0"
        max="1"
        // A program may have set a finer threshold, which must not stop the page from saving.
        step={roundThreshold(parameters.threshold) === parameters.threshold ? 0.001 : 'any'}
        required
        error={problemOf('threshold')}
        {...threshold}
      />
      <div className="grid gap-3 sm:max-lg:grid-cols-2">
        <TextField
          label={t('minDetectedArea')}
          hint={t('minDetectedAreaHint')}
          type="number"
          min="0"
          step="any"
          required
          error={problemOf('min_detected_area')}
          {...area}
        />
        <TextField
          label={t('ignoreOuter')}
          hint={t('ignoreOuterHint')}
          value={parameters.ignore_outer}
          error={problemOf('ignore_outer')}
          onChange={(event) => onChange({ ...parameters, ignore_outer: event.target.value })}
        />
      </div>
    </>
  );
}
