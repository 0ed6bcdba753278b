import { useNavigate } from 'react-router';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import { predictItems } from '../../../../src/client/long-operations.ts';
import type { Item, ItemVerdict, Schemas } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';
import { deleteLater } from '../../api/pending-deletes.ts';
import { refreshAll } from '../../api/queries.ts';
import { may } from '../../api/session.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { useShortcuts } from '../../components/shortcuts.ts';
import { dismissToast, showError, showToast, updateToast } from '../../components/toast.tsx';
import { announceChange } from '../../components/undo.ts';
import { type MessageKey, t } from '../../i18n/text.ts';
import { setVerdicts } from './set-verdicts.ts';
import type { GalleryPages, Selection } from './use-gallery.ts';

const fewItems = 100;

/** Queues items for inspection. For many items, a message shows the progress and can stop it. */
export function usePredict(): (modelId: string, itemIds: readonly string[]) => Promise<void> {
  return async (modelId, itemIds) => {
    const controller = new AbortController();
    const total = itemIds.length;
    const progress = (done: number) => t('predictingProgress', { done, total });
    const toast =
      total > fewItems
        ? showToast(progress(0), {
            ms: Number.POSITIVE_INFINITY,
            action: { label: t('uploadStop'), run: () => controller.abort() },
          })
        : undefined;
    try {
      const onProgress = (done: number) => toast !== undefined && updateToast(toast, progress(done));
      const queued = await predictItems(api, modelId, itemIds, { onProgress, signal: controller.signal });
      showToast(t('predicting', { n: queued.length }));
    } finally {
      if (toast !== undefined) dismissToast(toast);
    }
  };
}

type ItemChanges = Omit<Schemas['AssessItemsBody'], 'item_ids' | 'show_previous'>;

const itemsPerRequest = 1000;

/** Changes items in portions. @returns their verdicts before. */
async function assessItems(ids: readonly string[], changes: ItemChanges): Promise<ItemVerdict[]> {
  const verdicts: ItemVerdict[] = [];
  for (let start = 0; start < ids.length; start += itemsPerRequest) {
    const item_ids = ids.slice(start, start + itemsPerRequest);
    const body = { item_ids, ...changes, show_previous: changes.good !== undefined };
    verdicts.push(...((await dataOf(api.POST('/api/v1/items/assess', { body }))).previous ?? []));
  }
  return verdicts;
}

/** What can be done to many items at once. A message tells the result of each action. */
export function useItemActions(onDone: () => void) {
  const navigate = useNavigate();
  const predict = usePredict();
  const run = async (act: () => Promise<unknown>) => {
    try {
      await act();
      onDone();
    } catch (error) {
      showError(error);
    }
    await refreshAll();
  };
  return {
    change: (ids: readonly string[], changes: ItemChanges, message: MessageKey) =>
      run(async () => {
        const verdicts = await assessItems(ids, changes);
        const { is_training_data: isTraining } = changes;
        announceChange(t(message, { n: ids.length }), async () => {
          if (isTraining !== undefined) await assessItems(ids, { is_training_data: !isTraining });
          await setVerdicts(verdicts);
          await refreshAll();
        });
      }),
    predict: (modelId: string, ids: readonly string[]) => run(() => predict(modelId, ids)),
    train: (ids: readonly string[]) => navigate('/train', { state: { itemIds: ids } }),
    remove: async (ids: readonly string[]) => {
      try {
        if (await deleteLater('item', ids, t('deletedItems', { n: ids.length }))) onDone();
      } catch (error) {
        showError(error);
      }
    },
  };
}

export type ItemActions = ReturnType<typeof useItemActions>;

interface GalleryKeys {
  pages: GalleryPages;
  focus: number;
  selection: Selection;
  actions: ItemActions;
}

/** Keys act on the selected items, or on the focused item if none is selected. */
export function useGalleryKeys({ pages, focus, selection, actions }: GalleryKeys): void {
  const withFocused = (act: (item: Item, index: number) => unknown) => () => {
    const index = focusedIndex();
    const item = index === undefined ? undefined : pages.itemAt(index);
    if (item && index !== undefined) act(item, index);
  };
  const withTargets = (act: (ids: readonly string[]) => unknown) => () => {
    if (selection.ids.size > 0) act([...selection.ids]);
    else withFocused((item) => act([item.item_id]))();
  };
  const enter = () => {
    const place = document.activeElement;
    if (place !== document.body && place?.id !== 'content') return;
    document.querySelector<HTMLElement>(`a[data-index="${focus}"]`)?.focus();
  };
  const remove = withTargets((ids) => actions.remove(ids));
  useShortcuts({
    ...(may('inspector') && {
      o: withTargets((ids) => actions.change(ids, { good: true }, 'markedGood')),
      n: withTargets((ids) => actions.change(ids, { good: false }, 'markedNg')),
    }),
    ...(may('engineer') && { Delete: remove, Backspace: remove }),
    x: withFocused((item, index) => selection.toggle(item.item_id, index)),
    'Shift+x': withFocused((_item, index) => selection.extend(index, (at) => pages.itemAt(at)?.item_id)),
    a: () => {
      const loaded = Array.from({ length: pages.total ?? 0 }, (_, index) => pages.itemAt(index)?.item_id);
      selection.add(loaded.filter((id) => id !== undefined));
    },
    Escape: () => selection.clear(),
    // Inside the gallery, the arrow keys move on from the focused item.
    ArrowRight: enter,
  });
}

/** The place of the focused item. Without one, no key may change or delete an item. */
function focusedIndex(): number | undefined {
  const link = document.activeElement?.closest('li')?.querySelector<HTMLElement>('a[data-index]');
  return link ? Number(link.dataset['index']) : undefined;
}

interface SelectionBarProps {
  ids: readonly string[];
  total: number;
  training: boolean;
  activeModelId: string | undefined;
  actions: ItemActions;
  onSelectAll: () => void;
  onClear: () => void;
}

export function SelectionBar(props: SelectionBarProps) {
  const { ids, total, training, activeModelId, actions, onSelectAll, onClear } = props;
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
      {/* On a phone, rows of their own. */}
      <div className="flex items-center gap-2 max-md:order-last max-md:-ml-2 max-md:w-full max-md:flex-wrap max-md:p-0.5">
        <Button
          needs="inspector"
          label={t('markGood')}
          size="small"
          look="ok"
          onClick={() => actions.change(ids, { good: true }, 'markedGood')}
        />
        <Button
          needs="inspector"
          label={t('markNg')}
          size="small"
          look="ng"
          onClick={() => actions.change(ids, { good: false }, 'markedNg')}
        />
        {training && (
          <Button needs="engineer" label={t('trainWithThese')} size="small" onClick={() => actions.train(ids)} />
        )}
        <Button
          needs="inspector"
          label={t(training ? 'takeFromTraining' : 'useForTraining')}
          size="small"
          onClick={() =>
            actions.change(ids, { is_training_data: !training }, training ? 'movedFromTraining' : 'movedToTraining')
          }
        />
        {activeModelId !== undefined && (
          <Button
            needs="inspector"
            label={t('predictActive')}
            size="small"
            onClick={() => actions.predict(activeModelId, ids)}
          />
        )}
      </div>
      <span className="ml-auto flex">
        <IconButton
          icon="trash"
          needs="engineer"
          label={t('remove')}
          onClick={() => actions.remove(ids)}
          className="text-ng"
        />
        <IconButton icon="close" label={t('unselect')} onClick={onClear} />
      </span>
    </div>
  );
}
