import type { FieldProblem } from '../../../../src/client/kensa-error.ts';
import type { Item } from '../../../../src/client/shapes.ts';
import type { StepInfo } from '../../api/queries.ts';
import { CompactSelect } from '../../components/field.tsx';
import { useText } from '../../i18n/use-text.ts';
import { type DraftStep, moveStep, newStep } from './draft-steps.ts';
import { StepCard } from './step-card.tsx';
import { useStepTitle } from './use-step-title.ts';

interface StepListProps {
  steps: readonly DraftStep[];
  catalogue: readonly StepInfo[];
  openKey: number | undefined;
  problems: readonly FieldProblem[];
  sample: Item | undefined;
  onSteps: (steps: readonly DraftStep[]) => void;
  onOpen: (key: number | undefined) => void;
}

export function StepList({ steps, catalogue, openKey, problems, sample, onSteps, onOpen }: StepListProps) {
  const t = useText();
  const titleOf = useStepTitle(catalogue);
  const add = (name: string) => {
    const info = catalogue.find((one) => one.name === name);
    if (!info) return;
    const step = newStep(info, sample?.item_id);
    onSteps([...steps, step]);
    onOpen(step.key);
  };
  return (
    <div className="flex flex-col gap-3">
      {steps.length === 0 && <p className="text-ink-soft">{t('noSteps')}</p>}
      <ol className="flex flex-col gap-2">
        {steps.map((step, index) => (
          <StepCard
            key={step.key}
            {...{ step, index, sample }}
            count={steps.length}
            title={titleOf(step.name)}
            info={catalogue.find((one) => one.name === step.name)}
            open={step.key === openKey}
            problems={problems.filter((problem) => problem.key.startsWith(`preprocessing.${index}.`))}
            onOpen={(open) => onOpen(open ? step.key : undefined)}
            onChange={(changes) => onSteps(steps.map((one) => (one === step ? { ...one, ...changes } : one)))}
            onMove={(to) => onSteps(moveStep(steps, index, to))}
            onRemove={() => onSteps(steps.filter((one) => one !== step))}
          />
        ))}
      </ol>
      <CompactSelect label={t('addStep')} value="" onChange={(event) => add(event.target.value)} className="w-full">
        <option value="">{t('addStep')} …</option>
        {catalogue.map((info) => (
          <option key={info.name} value={info.name}>
            {titleOf(info.name)}
          </option>
        ))}
      </CompactSelect>
    </div>
  );
}
