import { Button, IconButton } from '../../components/button.tsx';
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
        <Button label={t('selectAllOf', { n: total })} size="small" look="quiet" onClick={onSelectAll} />
      )}
      {/* On a phone, a row of its own that scrolls sideways. */}
      <div className="flex items-center gap-2 max-md:order-last max-md:-ml-2 max-md:w-full max-md:overflow-x-auto max-md:p-0.5">
        <Button
          label={t('markGood')}
          size="small"
          look="ok"
          onClick={() => actions.change(ids, { good: true }, 'markedGood')}
        />
        <Button
          label={t('markNg')}
          size="small"
          look="ng"
          onClick={() => actions.change(ids, { good: false }, 'markedNg')}
        />
        {training && <Button label={t('trainWithThese')} size="small" onClick={() => actions.train(ids)} />}
        <Button
          label={t(training ? 'takeFromTraining' : 'useForTraining')}
          size="small"
          onClick={() =>
            actions.change(ids, { is_training_data: !training }, training ? 'movedFromTraining' : 'movedToTraining')
          }
        />
        {hasActiveModel && <Button label={t('predictActive')} size="small" onClick={() => actions.predict(ids)} />}
      </div>
      <span className="ml-auto flex">
        <IconButton icon="trash" label={t('remove')} onClick={() => actions.remove(ids)} className="text-ng" />
        <IconButton icon="close" label={t('unselect')} onClick={onClear} />
      </span>
    </div>
  );
}
