import type { FieldProblem } from '../../../../src/client/kensa-error.ts';
import type { Item } from '../../../../src/client/shapes.ts';
import type { StepInfo } from '../../api/queries.ts';
import { IconButton } from '../../components/button.tsx';
import { classNames } from '../../components/class-names.ts';
import { Icon } from '../../components/icon.tsx';
import { useServerTexts } from '../../i18n/server-texts.ts';
import { useText } from '../../i18n/use-text.ts';
import { ConfigForm } from './config-form.tsx';
import type { DraftStep } from './draft-steps.ts';

interface StepCardProps {
  step: DraftStep;
  index: number;
  count: number;
  title: string;
  info: StepInfo | undefined;
  open: boolean;
  problems: readonly FieldProblem[];
  sample: Item | undefined;
  onOpen: (open: boolean) => void;
  onChange: (changes: Partial<DraftStep>) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

export function StepCard(props: StepCardProps) {
  const { step, index, count, title, info, open, problems, sample, onOpen, onChange, onMove, onRemove } = props;
  const t = useText();
  const texts = useServerTexts();
  return (
    <li className={classNames('rounded-lg border', open ? 'border-accent' : 'border-line')}>
      <div className="flex items-center pl-3">
        <input
          type="checkbox"
          aria-label={t('stepActive', { name: title })}
          className="size-6 accent-(--accent)"
          checked={step.active}
          onChange={(event) => onChange({ active: event.target.checked })}
        />
        <button
          type="button"
          aria-expanded={open}
          onClick={() => onOpen(!open)}
          className={classNames(
            'min-h-11 min-w-0 flex-1 px-2 py-1 text-left leading-snug font-medium',
            !step.active && 'text-ink-soft line-through',
          )}
        >
          {index + 1}. {title}
        </button>
        <IconButton label={t('moveUp', { name: title })} disabled={index === 0} onClick={() => onMove(index - 1)}>
          <Icon name="up" size={16} />
        </IconButton>
        <IconButton
          label={t('moveDown', { name: title })}
          disabled={index === count - 1}
          onClick={() => onMove(index + 1)}
        >
          <Icon name="down" size={16} />
        </IconButton>
        <IconButton label={t('removeStep', { name: title })} onClick={onRemove}>
          <Icon name="close" size={16} />
        </IconButton>
      </div>
      {problems.length > 0 && (
        <p role="alert" className="px-3 pb-2 text-[13px] text-ng">
          {problems.flatMap((problem) => problem.errors).join(' ')}
        </p>
      )}
      {open && info && (
        <div className="flex flex-col gap-3 border-t border-line p-3">
          <p className="text-[13px] text-ink-soft">{texts.stepHelp(step.name, info.help)}</p>
          <ConfigForm
            schema={info.schema}
            config={step.config}
            sample={sample}
            onChange={(config) => onChange({ config })}
          />
        </div>
      )}
    </li>
  );
}
