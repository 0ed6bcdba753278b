import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Item } from '../../../../src/client/shapes.ts';
import { useText } from '../../i18n/use-text.ts';
import { GalleryTile } from './gallery-tile.tsx';
import type { GalleryPages } from './use-gallery-pages.ts';
import type { Selection } from './use-selection.ts';

const gap = 10;

/** How many tiles fit side by side: two on a phone at least. */
interface Columns {
  readonly columns: number;
  readonly rowHeight: number;
  readonly measured: boolean;
}

function useColumns(element: RefObject<HTMLElement | null>): Columns {
  const [measuredWidth, setWidth] = useState<number>();
  const width = measuredWidth ?? 800;
  useEffect(() => {
    const node = element.current;
    if (!node) return;
    const observer = new ResizeObserver(() => setWidth(node.clientWidth));
    observer.observe(node);
    return () => observer.disconnect();
  }, [element]);
  const columns = Math.max(2, Math.floor((width + gap) / (180 + gap)));
  const rowHeight = (width - gap * (columns - 1)) / columns + 34 + gap;
  return { columns, rowHeight, measured: measuredWidth !== undefined };
}

function nextIndex(event: KeyboardEvent, focus: number, columns: number, total: number): number | undefined {
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  return Math.max(0, Math.min(total - 1, focus + step));
}

interface GalleryProps {
  pages: GalleryPages;
  total: number;
  selection: Selection;
  hidden: ReadonlySet<string>;
  focus: number;
  /** Begins at the item that has the focus, instead of at the top. */
  startAtFocus: boolean;
  /** The model whose verdicts are shown. */
  modelId: string | undefined;
  onFocus: (index: number) => void;
  onRange: (first: number, last: number) => void;
  linkTo: (item: Item, index: number) => string;
}

/** Tens of thousands of items; only the rows in sight are in the page. */
export function Gallery(props: GalleryProps) {
  const { pages, total, selection, hidden, focus, startAtFocus, modelId, onFocus, onRange, linkTo } = props;
  const t = useText();
  const frame = useRef<HTMLDivElement>(null);
  const { columns, rowHeight, measured } = useColumns(frame);
  const rows = Math.ceil(total / columns);
  const virtualizer = useVirtualizer({
    count: rows,
    getScrollElement: () => document.getElementById('content'),
    estimateSize: () => rowHeight,
    overscan: 3,
    scrollMargin: frame.current?.offsetTop ?? 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows must be measured again when their height changes
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer]);
  const starting = useRef(startAtFocus);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as the rows have their height
  useEffect(() => {
    if (startAtFocus && measured) virtualizer.scrollToIndex(Math.floor(focus / columns), { align: 'center' });
  }, [measured]);
  useEffect(() => {
    const link = starting.current && frame.current?.querySelector<HTMLElement>(`[data-index="${focus}"]`);
    if (!link) return;
    starting.current = false;
    link.focus({ preventScroll: true });
  });
  const shown = virtualizer.getVirtualItems();
  const first = (shown[0]?.index ?? 0) * columns;
  const last = Math.min(total - 1, ((shown.at(-1)?.index ?? 0) + 1) * columns - 1);
  useEffect(() => onRange(first, last), [first, last, onRange]);

  // Always the same function, so that tiles that stay are not drawn again at each step of a scroll.
  const latest = useRef({ selection, pages });
  useEffect(() => {
    latest.current = { selection, pages };
  });
  const toggle = useCallback((item: Item, index: number, range: boolean) => {
    const { selection: chosen, pages: loaded } = latest.current;
    if (range) chosen.extend(index, (at) => loaded.itemAt(at)?.item_id);
    else chosen.toggle(item.item_id, index);
  }, []);
  const focusLink = (index: number): boolean => {
    const link = frame.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    link?.focus();
    return Boolean(link);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextIndex(event, focus, columns, total);
    if (next === undefined) return;
    event.preventDefault();
    virtualizer.scrollToIndex(Math.floor(next / columns));
    onFocus(next);
    // At once where it is there: the next key acts on what has the focus. Rows out of sight are drawn first.
    if (!focusLink(next)) requestAnimationFrame(() => focusLink(next));
  };

  const place = (index: number, start: number): CSSProperties => ({
    left: `calc((100% + ${gap}px) / ${columns} * ${index % columns})`,
    width: `calc((100% - ${gap * (columns - 1)}px) / ${columns})`,
    height: rowHeight - gap,
    transform: `translateY(${start - virtualizer.options.scrollMargin}px)`,
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the links inside
    <div ref={frame} onKeyDown={onKeyDown} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      <ul aria-label={t('galleryLabel')}>
        {shown.flatMap((row) =>
          indexesOf(row.index, columns, total).map((index) => (
            <li key={index} className="absolute top-0" style={place(index, row.start)}>
              <TilePlace {...{ pages, selection, hidden, focus, modelId, index, onFocus, linkTo }} onToggle={toggle} />
            </li>
          )),
        )}
      </ul>
    </div>
  );
}

type TilePlaceProps = Pick<
  GalleryProps,
  'pages' | 'selection' | 'hidden' | 'focus' | 'modelId' | 'onFocus' | 'linkTo'
> & {
  index: number;
  onToggle: (item: Item, index: number, range: boolean) => void;
};

function TilePlace({ pages, selection, hidden, focus, modelId, index, onFocus, linkTo, onToggle }: TilePlaceProps) {
  const item = pages.itemAt(index);
  if (!item) return <div className="h-full rounded-lg bg-sunken" />;
  return (
    <GalleryTile
      {...{ item, index, modelId, onFocus, onToggle }}
      link={linkTo(item, index)}
      selected={selection.ids.has(item.item_id)}
      deleted={hidden.has(item.item_id)}
      focused={index === focus}
    />
  );
}

function indexesOf(row: number, columns: number, total: number): number[] {
  const first = row * columns;
  return Array.from({ length: Math.min(columns, total - first) }, (_, column) => first + column);
}
