import { useMutation } from '@tanstack/react-query';
import type { Model, PredictParameters } from '../../../../src/client/shapes.ts';
import { api, ofModel } from '../../api/kensa.ts';
import { problemsOf, refreshAll } from '../../api/queries.ts';
import { ActionButton, Button } from '../../components/button.tsx';
import { Form, NumberField, TextField } from '../../components/field.tsx';
import { showError, showToast } from '../../components/toast.tsx';
import { t } from '../../i18n/text.ts';
import { usePredict } from '../items/item-actions.tsx';

interface ParameterFormProps {
  model: Model;
  saved: PredictParameters;
  parameters: PredictParameters;
  /** The items that the model has inspected. */
  itemIds: readonly string[];
  onChange: (parameters: PredictParameters) => void;
}

export function ParameterForm({ model, saved, parameters, itemIds, onChange }: ParameterFormProps) {
  const predict = usePredict();
  const save = useMutation({
    mutationFn: () =>
      api.POST('/api/v1/models/{model_id}/update_predict_parameters', { ...ofModel(model.model_id), body: parameters }),
    onSuccess: () => {
      showToast(t('savedParameters'));
      return refreshAll();
    },
    // A field shows its own error.
    onError: (error) => (problemsOf(error).length > 0 ? undefined : showError(error)),
  });
  const problemOf = (name: keyof PredictParameters) =>
    problemsOf(save.error)
      .find((problem) => problem.key === name)
      ?.errors.join(' ');
  const changed = JSON.stringify(saved) !== JSON.stringify(parameters);
  const set = (changes: Partial<PredictParameters>) => onChange({ ...parameters, ...changes });
  return (
    <Form onSubmit={save.mutate} className="flex flex-col gap-3">
      <NumberField
        label={t('threshold')}
        min="0"
        max="1"
        step="any"
        required
        error={problemOf('threshold')}
        value={parameters.threshold}
        onNumber={(threshold) => threshold !== undefined && set({ threshold })}
      />
      <div className="grid gap-3 sm:max-lg:grid-cols-2">
        <NumberField
          label={t('minDetectedArea')}
          hint={t('minDetectedAreaHint')}
          min="0"
          step="any"
          required
          error={problemOf('min_detected_area')}
          value={parameters.min_detected_area}
          onNumber={(area) => area !== undefined && set({ min_detected_area: area })}
        />
        <TextField
          label={t('ignoreOuter')}
          hint={t('ignoreOuterHint')}
          error={problemOf('ignore_outer')}
          placeholder={t('detailValue.none')}
          value={parameters.ignore_outer === 'none' ? '' : parameters.ignore_outer}
          onChange={(event) => set({ ignore_outer: event.target.value || 'none' })}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          needs="engineer"
          label={t('saveThreshold')}
          type="submit"
          look="primary"
          disabled={!changed || save.isPending}
        />
        {changed && (
          <Button label={t('revert', { value: saved.threshold.toFixed(3) })} onClick={() => onChange(saved)} />
        )}
        {!changed && itemIds.length > 0 && (
          <ActionButton
            needs="inspector"
            label={t('reinspect', { n: itemIds.length })}
            action={() => predict(model.model_id, itemIds)}
          />
        )}
      </div>
    </Form>
  );
}
