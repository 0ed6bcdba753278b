import type { Item } from '../../../../src/client/shapes.ts';
import { useShortcuts } from '../../components/shortcuts.ts';
import type { GalleryPages } from './use-gallery-pages.ts';
import type { ItemActions } from './use-item-actions.ts';
import type { Selection } from './use-selection.ts';

interface GalleryKeys {
  pages: GalleryPages;
  total: number;
  focus: number;
  selection: Selection;
  actions: ItemActions;
}

/** The place of the item that has the focus, so that no key judges or deletes an item that nobody pointed at. */
function focusedIndex(): number | undefined {
  const link = document.activeElement?.closest('li')?.querySelector<HTMLElement>('a[data-index]');
  return link ? Number(link.dataset['index']) : undefined;
}

/** Keys act on the selection, or on the item that has the focus where nothing is selected. */
export function useGalleryKeys({ pages, total, focus, selection, actions }: GalleryKeys): void {
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
      const loaded = Array.from({ length: total }, (_, index) => pages.itemAt(index)?.item_id);
      selection.add(loaded.filter((id) => id !== undefined));
    },
    Escape: () => selection.clear(),
    // Inside the gallery they move on from the item that has the focus.
    ArrowRight: enter,
  });
}
