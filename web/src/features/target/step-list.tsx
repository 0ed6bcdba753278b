import type { FieldProblem } from '../../../../src/client/kensa-error.ts';
import type { StepInfo } from '../../api/queries.ts';
import { IconButton } from '../../components/button.tsx';
import { CompactSelect } from '../../components/field.tsx';
import { stepHelp, stepTitle } from '../../i18n/server-texts.ts';
import { t } from '../../i18n/text.ts';
import { ConfigForm } from './config-form.tsx';
import { type DraftStep, moveStep, newStep, type StepEditor } from './draft-steps.ts';

interface StepListProps {
  editor: StepEditor;
  catalogue: readonly StepInfo[];
  problems: readonly FieldProblem[];
}

export function StepList({ editor, catalogue, problems }: StepListProps) {
  const { steps, sample } = editor;
  const add = (name: string) => {
    const info = catalogue.find((one) => one.name === name);
    if (!info) return;
    const step = newStep(info, sample?.item_id);
    editor.edit([...steps, step]);
    editor.open(step.key);
  };
  return (
    <div className="flex flex-col gap-3">
      {steps.length === 0 && <p className="text-ink-soft">{t('noSteps')}</p>}
      <ol className="flex flex-col gap-2">
        {steps.map((step, index) => (
          <StepCard
            key={step.key}
            editor={editor}
            step={step}
            index={index}
            info={catalogue.find((one) => one.name === step.name)}
            problems={problems.filter((problem) => problem.key.startsWith(`preprocessing.${index}.`))}
          />
        ))}
      </ol>
      <CompactSelect
        label={t('addStep')}
        value=""
        options={[['', `${t('addStep')} …`], ...catalogue.map(({ name }) => [name, stepTitle(name)] as const)]}
        onChange={add}
        className="w-full"
      />
    </div>
  );
}

interface StepCardProps {
  editor: StepEditor;
  step: DraftStep;
  index: number;
  info: StepInfo | undefined;
  problems: readonly FieldProblem[];
}

function StepCard({ editor, step, index, info, problems }: StepCardProps) {
  const { steps, sample } = editor;
  const open = step.key === editor.openKey;
  const title = stepTitle(step.name);
  const change = (changes: Partial<DraftStep>) =>
    editor.edit(steps.map((one) => (one === step ? { ...one, ...changes } : one)));
  const move = (to: number) => editor.edit(moveStep(steps, index, to));
  return (
    <li className={`rounded-lg border ${open ? 'border-accent' : 'border-line'}`}>
      <div className="flex items-center pl-3">
        <input
          type="checkbox"
          aria-label={t('stepActive', { name: title })}
          className="size-6 accent-(--accent)"
          checked={step.active}
          onChange={(event) => change({ active: event.target.checked })}
        />
        <button
          type="button"
          aria-expanded={open}
          onClick={() => editor.open(open ? undefined : step.key)}
          className={`min-h-11 min-w-0 flex-1 px-2 py-1 text-left leading-snug font-medium ${step.active ? '' : 'text-ink-soft line-through'}`}
        >
          {index + 1}. {title}
        </button>
        <IconButton
          icon="up"
          label={t('moveUp', { name: title })}
          disabled={index === 0}
          onClick={() => move(index - 1)}
        />
        <IconButton
          icon="down"
          label={t('moveDown', { name: title })}
          disabled={index === steps.length - 1}
          onClick={() => move(index + 1)}
        />
        <IconButton
          icon="close"
          label={t('removeStep', { name: title })}
          onClick={() => editor.edit(steps.filter((one) => one !== step))}
        />
      </div>
      {problems.length > 0 && (
        <p role="alert" className="px-3 pb-2 text-[13px] text-ng">
          {problems.flatMap((problem) => problem.errors).join(' ')}
        </p>
      )}
      {open && info && (
        <div className="flex flex-col gap-3 border-t border-line p-3">
          <p className="text-[13px] text-ink-soft">{stepHelp(step.name, info.help)}</p>
          <ConfigForm
            schema={info.schema}
            config={step.config}
            sample={sample}
            onChange={(config) => change({ config })}
          />
        </div>
      )}
    </li>
  );
}
