import { useNavigate } from 'react-router';
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
  linkTo: (item: Item, index: number) => string;
}

/** Keys act on the selection, or on the item that has the focus where nothing is selected. */
export function useGalleryKeys({ pages, total, focus, selection, actions, linkTo }: GalleryKeys): void {
  const navigate = useNavigate();
  const withTargets = (act: (ids: readonly string[]) => unknown) => () => {
    const focused = pages.itemAt(focus)?.item_id;
    const ids = selection.ids.size > 0 ? [...selection.ids] : focused === undefined ? [] : [focused];
    if (ids.length > 0) act(ids);
  };
  const withFocused = (act: (item: Item) => unknown) => () => {
    const item = pages.itemAt(focus);
    if (item) act(item);
  };
  const remove = withTargets((ids) => actions.remove(ids));
  useShortcuts({
    o: withTargets((ids) => actions.change(ids, { good: true }, 'markedGood')),
    n: withTargets((ids) => actions.change(ids, { good: false }, 'markedNg')),
    Delete: remove,
    Backspace: remove,
    x: withFocused((item) => selection.toggle(item.item_id, focus)),
    'Shift+x': () => selection.extend(focus, (index) => pages.itemAt(index)?.item_id),
    a: () => {
      const loaded = Array.from({ length: total }, (_, index) => pages.itemAt(index)?.item_id);
      selection.add(loaded.filter((id) => id !== undefined));
    },
    Escape: () => selection.clear(),
    Enter: withFocused((item) => navigate(linkTo(item, focus))),
  });
}
