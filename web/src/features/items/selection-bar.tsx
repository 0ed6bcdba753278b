import { VerdictMark } from '../../components/badge.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { t } from '../../i18n/text.ts';
import type { ItemActions } from './use-item-actions.ts';

interface SelectionBarProps {
  ids: readonly string[];
  total: number;
  training: boolean;
  hasActiveModel: boolean;
  actions: ItemActions;
  onSelectAll: () => void;
  onClear: () => void;
}

export function SelectionBar(props: SelectionBarProps) {
  const { ids, total, training, hasActiveModel, actions, onSelectAll, onClear } = props;
  return (
    <div
      role="toolbar"
      aria-label={t('selected', { n: ids.length })}
      className="sticky bottom-3 z-20 mx-auto flex w-fit max-w-full flex-wrap items-center gap-2 rounded-xl border border-line-strong bg-surface p-2 pl-4 shadow-xl"
    >
      <span className="font-semibold tabular-nums">{t('selected', { n: ids.length })}</span>
      {ids.length < total && (
        <Button size="small" look="quiet" onClick={onSelectAll}>
          {t('selectAllOf', { n: total })}
        </Button>
      )}
      {/* On a phone, a row of its own that scrolls sideways. */}
      <div className="flex items-center gap-2 max-md:order-last max-md:-ml-2 max-md:w-full max-md:overflow-x-auto max-md:p-0.5">
        <Button size="small" look="ok" onClick={() => actions.change(ids, { good: true }, 'markedGood')}>
          <VerdictMark verdict="OK" /> {t('markGood')}
        </Button>
        <Button size="small" look="ng" onClick={() => actions.change(ids, { good: false }, 'markedNg')}>
          <VerdictMark verdict="NG" /> {t('markNg')}
        </Button>
        {training && (
          <Button size="small" onClick={() => actions.train(ids)}>
            {t('trainWithThese')}
          </Button>
        )}
        <Button
          size="small"
          onClick={() =>
            actions.change(ids, { is_training_data: !training }, training ? 'movedFromTraining' : 'movedToTraining')
          }
        >
          {t(training ? 'takeFromTraining' : 'useForTraining')}
        </Button>
        {hasActiveModel && (
          <Button size="small" onClick={() => actions.predict(ids)}>
            {t('predictActive')}
          </Button>
        )}
      </div>
      <span className="ml-auto flex">
        <IconButton label={t('remove')} onClick={() => actions.remove(ids)} className="text-ng">
          <Icon name="trash" />
        </IconButton>
        <IconButton label={t('unselect')} onClick={onClear}>
          <Icon name="close" />
        </IconButton>
      </span>
    </div>
  );
}
