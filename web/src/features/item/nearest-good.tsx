import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Annotation, Item, ItemImage, NearestGood } from '../../../../src/client/shapes.ts';
import { localUrl } from '../../api/kensa.ts';
import { nearestGoodQuery } from '../../api/queries.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { itemPath } from '../../components/item-tile.tsx';
import { MiddleTruncated } from '../../components/middle-truncated.tsx';
import { Loaded } from '../../components/page.tsx';
import { t } from '../../i18n/text.ts';
import { createStore, useStore } from '../../store.ts';
import { type Point, type Rectangle, toFrame, toImage, type Viewport } from '../viewer/geometry.ts';
import { ImageFrame, PlacedImage, useViewport } from '../viewer/image-frame.tsx';
import { SplitHandle } from '../viewer/split-handle.tsx';
import { usePointerDrag } from '../viewer/use-pointer-drag.ts';

/** Stays for the next item. */
const layout = createStore<'side' | 'slider'>('side');

interface NearestGoodProps {
  item: Item;
  image: ItemImage;
  modelId: string;
  /** What the model found on the image: places to ask about by key. */
  regions: readonly Annotation[];
  /** Asked about at first; absent: the place that differs most. */
  region?: Rectangle | undefined;
  onClose: () => void;
}

const middleOf = ({ x_min, x_max, y_min, y_max }: Rectangle): Point => ({
  x: (x_min + x_max) / 2,
  y: (y_min + y_max) / 2,
});

/** "Different from what?": the good image that a place of the item is compared with. */
export function NearestGoodDialog({ item, image, modelId, regions, region, onClose }: NearestGoodProps) {
  const [point, setPoint] = useState(region && middleOf(region));
  const nearest = useQuery(nearestGoodQuery(item.item_id, modelId, image.name, point));
  // The answer before is shown until the next one is there.
  const last = useRef<NearestGood>(undefined);
  if (nearest.data) last.current = nearest.data;
  const shown = nearest.data ?? (nearest.isError ? undefined : last.current);
  return (
    <Dialog title={t('nearestTitle')} onClose={onClose} size="full">
      {shown ? (
        <Comparison
          key={image.name}
          {...{ item, image, regions }}
          found={shown}
          isLoading={nearest.isFetching}
          ask={setPoint}
        />
      ) : (
        <Loaded query={nearest}>{() => null}</Loaded>
      )}
    </Dialog>
  );
}

interface ComparisonProps extends Pick<NearestGoodProps, 'item' | 'image' | 'regions'> {
  found: NearestGood;
  isLoading: boolean;
  ask: (point: Point) => void;
}

function Comparison({ item, image, regions, found, isLoading, ask }: ComparisonProps) {
  const { place, nearest } = found;
  const mode = useStore(layout);
  const [split, setSplit] = useState(0.5);
  const shared = useState<Viewport>({ scale: 1, x: 0, y: 0 });
  const left = useViewport(image, image.name, shared);
  const right = useViewport(image, `${image.name} ${mode}`, shared);
  const zoomToPatch = () => place && left.showPart(around(place, image));
  const pressed = useRef<Point>(undefined);
  /** A click asks about its place; a drag moves the image. */
  const askAt = (event: MouseEvent) => {
    const from = pressed.current;
    if (!from || Math.hypot(event.clientX - from.x, event.clientY - from.y) > 4) return;
    const { x, y } = toImage(left.view, left.pointIn(event));
    if (x >= 0 && y >= 0 && x <= image.width && y <= image.height) ask({ x, y });
  };
  const dragLeft = usePointerDrag(left, () => undefined);
  const dragRight = usePointerDrag(right, () => undefined);
  const keys: Record<string, () => void> = {
    s: () => layout.set(mode === 'side' ? 'slider' : 'side'),
    z: () => (left.isWhole ? zoomToPatch() : left.showWhole()),
    '+': () => left.zoom(1.3),
    '-': () => left.zoom(1 / 1.3),
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    keys[event.key.toLowerCase()]?.();
  });
  useEffect(() => {
    // The focus may be on the button that closes the window.
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  const good = nearest && <PlacedImage view={left.view} {...goodImage(nearest)} />;
  const mayAsk = place !== null;
  return (
    <div className="flex h-full min-h-0 flex-col gap-3">
      {found.status_text && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          {found.status_text}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {nearest && (
          <fieldset aria-label={t('nearestLayout')} className="flex gap-1">
            {(['side', 'slider'] as const).map((one) => (
              <Button
                key={one}
                label={t(one === 'side' ? 'nearestSide' : 'nearestSlider')}
                size="small"
                aria-pressed={mode === one}
                aria-keyshortcuts="S"
                className="aria-pressed:border-accent aria-pressed:bg-accent-soft"
                onClick={() => layout.set(one)}
              />
            ))}
          </fieldset>
        )}
        <span className="flex">
          <IconButton icon="minus" label={t('zoomOut')} onClick={keys['-']} />
          <IconButton icon="plus" label={t('zoomIn')} onClick={keys['+']} />
          <IconButton icon="fit" label={t('fitImage')} onClick={left.showWhole} />
        </span>
        {place && <Button label={t('nearestZoom')} size="small" aria-keyshortcuts="Z" onClick={() => zoomToPatch()} />}
        {mayAsk &&
          regions.map((region, index) => (
            <Button
              key={region.annotation_id ?? index}
              label={t('region', { n: index + 1 })}
              size="small"
              onClick={() => ask(middleOf(region))}
            />
          ))}
        <span role="status" className="text-[13px] text-ink-soft">
          {isLoading ? t('nearestSearching') : ''}
        </span>
      </div>
      <div
        className={`grid min-h-0 flex-1 gap-2 ${mode === 'side' && nearest ? 'max-md:grid-rows-2 md:grid-cols-2' : ''}`}
      >
        <Pane title={item.name}>
          <ImageFrame
            control={left}
            size={image}
            src={image.url === undefined ? undefined : localUrl(image.url)}
            fallbackSrc={image.thumbnail_url === undefined ? undefined : localUrl(image.thumbnail_url)}
            alt={t('itemImageAlt', { name: item.name, image: image.name })}
            className={`h-full ${mayAsk ? 'cursor-crosshair' : ''}`}
            data-testid="nearest-item"
            {...dragLeft}
            onPointerDown={(event) => {
              pressed.current = { x: event.clientX, y: event.clientY };
              dragLeft.onPointerDown(event);
            }}
            onClick={mayAsk ? askAt : undefined}
          >
            {nearest && mode === 'slider' && (
              <div
                className="pointer-events-none absolute inset-0 overflow-hidden"
                style={{ clipPath: `inset(0 0 0 ${100 * split}%)` }}
              >
                <div className="absolute inset-0 bg-[#0b1013]" />
                {good}
              </div>
            )}
            {place && <PatchOutline corners={cornersOf(place)} view={left.view} colour="#ffd54a" />}
            {nearest && mode === 'slider' && <SplitHandle at={split} onChange={setSplit} />}
          </ImageFrame>
        </Pane>
        {nearest && mode === 'side' && (
          <Pane title={nearest.item_name} to={itemPath(nearest.item_id)}>
            <ImageFrame control={right} className="h-full cursor-grab" data-testid="nearest-good" {...dragRight}>
              {good}
              <PatchOutline
                corners={cornersOf(nearest.place).map((corner) => transformed(nearest.transform, corner))}
                view={right.view}
                colour="#7ee787"
              />
            </ImageFrame>
          </Pane>
        )}
      </div>
      <div className="flex flex-col gap-0.5 text-[13px] text-ink-soft">
        {nearest && (
          <p>
            {t('nearestIs')}{' '}
            <Link className="link underline" to={itemPath(nearest.item_id)}>
              {nearest.item_name}
            </Link>
            {t('nearestIsEnd')}
            {t(nearest.registered ? 'nearestRegistered' : 'nearestByPatch')}
          </p>
        )}
        {nearest?.user_result === 'NG' && <p className="text-warn">{t('nearestNowNg')}</p>}
        {found.unavailable > 0 && <p className="text-warn">{t('nearestUnavailable', { n: found.unavailable })}</p>}
        {mayAsk && (
          <p>
            {t('nearestHint')} <span className="max-md:hidden">{t('nearestKeys')}</span>
          </p>
        )}
      </div>
    </div>
  );
}

function Pane({ title, to, children }: { title: string; to?: string; children: ReactNode }) {
  return (
    <figure className="flex min-h-0 min-w-0 flex-col">
      <figcaption className="pb-1 text-[13px] font-medium">
        <MiddleTruncated
          text={to === undefined ? t('nearestItem', { name: title }) : t('nearestGoodImage', { name: title })}
        />
      </figcaption>
      <div className="min-h-40 flex-1 overflow-hidden rounded-md">{children}</div>
    </figure>
  );
}

type Nearest = NonNullable<NearestGood['nearest']>;

function goodImage({ image, item_name, transform }: Nearest) {
  return {
    src: localUrl(image.url ?? ''),
    fallbackSrc: localUrl(image.thumbnail_url ?? ''),
    size: { width: image.width ?? 0, height: image.height ?? 0 },
    alt: t('itemImageAlt', { name: item_name, image: image.name ?? '' }),
    transform,
  };
}

/** The patch with so much around it that a person recognises the place. */
function around(place: Rectangle, image: { width: number; height: number }): Rectangle {
  const { x, y } = middleOf(place);
  const reach = Math.max(image.width, image.height) / 12;
  const half = Math.max(reach, place.x_max - place.x_min, place.y_max - place.y_min);
  return { x_min: x - half, x_max: x + half, y_min: y - half, y_max: y + half };
}

const cornersOf = ({ x_min, x_max, y_min, y_max }: Rectangle): Point[] => [
  { x: x_min, y: y_min },
  { x: x_max, y: y_min },
  { x: x_max, y: y_max },
  { x: x_min, y: y_max },
];

function transformed([a = 1, b = 0, c = 0, d = 0, e = 1, f = 0]: readonly number[], { x, y }: Point): Point {
  return { x: a * x + b * y + c, y: d * x + e * y + f };
}

function PatchOutline({ corners, view, colour }: { corners: readonly Point[]; view: Viewport; colour: string }) {
  const points = corners.map((corner) => toFrame(view, corner)).map(({ x, y }) => `${x},${y}`);
  return (
    <svg className="pointer-events-none absolute inset-0 size-full" aria-hidden="true" data-testid="patch">
      <polygon points={points.join(' ')} fill="none" stroke="#000" strokeOpacity="0.7" strokeWidth="5" />
      <polygon points={points.join(' ')} fill="none" stroke={colour} strokeWidth="2.5" />
    </svg>
  );
}
