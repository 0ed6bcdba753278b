import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, memo, type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Item } from '../../../../src/client/shapes.ts';
import { useDeleted } from '../../api/pending-deletes.ts';
import { Badge, VerdictBadge } from '../../components/badge.tsx';
import { Icon } from '../../components/icon.tsx';
import { shownAssessment, Thumbnail } from '../../components/item-tile.tsx';
import { MiddleTruncated } from '../../components/middle-truncated.tsx';
import { scoreText } from '../../components/score-text.ts';
import { t } from '../../i18n/text.ts';
import { type GalleryPages, pageRange, type Selection } from './use-gallery.ts';

const gap = 10;

/** How many tiles fit side by side, at least two, and the height of a row. */
function useColumns(element: RefObject<HTMLElement | null>) {
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
  focus: number;
  /** Starts at the focused item instead of at the top. */
  startAtFocus: boolean;
  /** The model whose verdicts are shown. */
  modelId: string | undefined;
  onFocus: (index: number) => void;
  /** Gets the pages in sight. */
  onRange: (range: string) => void;
  linkTo: (item: Item, index: number) => string;
}

/** Tens of thousands of items. Only the rows in sight are in the document. */
export function Gallery(props: GalleryProps) {
  const { total, focus, startAtFocus, onFocus, onRange } = props;
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
  const range = pageRange(first, last);
  useEffect(() => onRange(range), [range, onRange]);

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
    // The next key acts on the focused item. A row out of sight has to be rendered first.
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
              <GalleryTile index={index} gallery={props} />
            </li>
          )),
        )}
      </ul>
    </div>
  );
}

function indexesOf(row: number, columns: number, total: number): number[] {
  const first = row * columns;
  return Array.from({ length: Math.min(columns, total - first) }, (_, column) => first + column);
}

/** Not rendered again by a scroll: then the properties of the gallery are the same. */
const GalleryTile = memo(function GalleryTile({ index, gallery }: { index: number; gallery: GalleryProps }) {
  const { pages, selection, focus, modelId, onFocus, linkTo } = gallery;
  const deletedItems = useDeleted('item');
  const item = pages.itemAt(index);
  if (!item) return <div className="h-full rounded-lg bg-sunken" />;
  const selected = selection.ids.has(item.item_id);
  const deleted = deletedItems.has(item.item_id);
  const person = item.user_assessment?.result;
  const toggle = ({ shiftKey }: MouseEvent) => {
    if (shiftKey) selection.extend(index, (at) => pages.itemAt(at)?.item_id);
    else selection.toggle(item.item_id, index);
  };
  return (
    <div
      className={`relative h-full overflow-hidden rounded-lg border bg-surface ${selected ? 'border-accent ring-2 ring-accent' : 'border-line'}`}
    >
      <Link
        to={linkTo(item, index)}
        data-index={index}
        tabIndex={index === focus ? 0 : -1}
        onFocus={() => onFocus(index)}
        className="flex h-full flex-col focus-visible:outline-offset-[-3px]"
      >
        <span className="min-h-0 flex-1">
          <Thumbnail item={item} className={deleted ? 'opacity-30' : ''} />
        </span>
        <span className="flex items-center justify-between gap-2 px-2 py-1.5 text-[13px]">
          {/* The image has the name already. */}
          <MiddleTruncated text={item.name} aria-hidden="true" />
          <TileVerdicts item={item} modelId={modelId} />
        </span>
        {person && (
          <span className="absolute top-2 right-2 flex">
            <VerdictBadge verdict={person} by="person" />
          </span>
        )}
      </Link>
      {deleted ? (
        <span className="absolute top-2 left-2">
          <Badge>{t('deletedMark')}</Badge>
        </span>
      ) : (
        <label className="absolute top-0 left-0 flex size-11 items-center justify-center">
          <input
            type="checkbox"
            aria-label={t('selectItem', { name: item.name })}
            tabIndex={-1}
            className="size-5 scheme-light accent-(--accent)"
            checked={selected}
            onChange={(event) => toggle(event.nativeEvent as MouseEvent)}
          />
        </label>
      )}
    </div>
  );
});

function TileVerdicts({ item, modelId }: { item: Item; modelId: string | undefined }) {
  const person = item.user_assessment?.result;
  const model = shownAssessment(item, modelId);
  if (item.status === 'queued') return <Badge>{t('statusQueued')}</Badge>;
  if (item.status === 'processing') return <Badge tone="accent">{t('statusProcessing')}</Badge>;
  if (item.status === 'failed') return <Badge tone="warn">{t('statusFailed')}</Badge>;
  return (
    <span className="flex shrink-0 items-center gap-1">
      {model && (
        <VerdictBadge verdict={model.result} by="model">
          {scoreText(Number(model.anomaly_score), model.threshold)}
        </VerdictBadge>
      )}
      {item.status_text && <Warning text={item.status_text} />}
      {person && model && person !== model.result && <Warning text={t('filterDisagrees')} />}
    </span>
  );
}

function Warning({ text }: { text: string }) {
  return (
    <span className="text-warn" title={text}>
      <Icon name="warning" size={15} />
      <span className="sr-only">{text}</span>
    </span>
  );
}
