import { useNavigate } from 'react-router';
import type { Item, Schemas } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';
import { refreshAll } from '../../api/queries.ts';
import { useShortcuts } from '../../components/shortcuts.ts';
import { dismissToast, showError, showToast } from '../../components/toast.tsx';
import { type MessageKey, t } from '../../i18n/text.ts';
import { deleteLater, undoMs } from './pending-deletes.ts';
import type { GalleryPages, Selection } from './use-gallery.ts';
import { usePredict } from './use-predict.ts';

type ItemChanges = Omit<Schemas['AssessItemsBody'], 'item_ids'>;

const itemsPerRequest = 1000;

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
        for (let start = 0; start < ids.length; start += itemsPerRequest) {
          const item_ids = ids.slice(start, start + itemsPerRequest);
          await api.POST('/api/v1/items/assess', { body: { item_ids, ...changes } });
        }
        showToast(t(message, { n: ids.length }));
      }),
    predict: (ids: readonly string[]) => run(() => predict('active', ids)),
    train: (ids: readonly string[]) => navigate('/train', { state: { itemIds: ids } }),
    remove: (ids: readonly string[]) => {
      const undo = deleteLater(ids, () => {
        dismissToast(toast);
        void refreshAll();
      });
      const toast = showToast(t('deletedItems', { n: ids.length }), {
        ms: undoMs,
        action: { label: t('undo'), run: undo },
      });
      onDone();
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
    o: withTargets((ids) => actions.change(ids, { good: true }, 'markedGood')),
    n: withTargets((ids) => actions.change(ids, { good: false }, 'markedNg')),
    Delete: remove,
    Backspace: remove,
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
