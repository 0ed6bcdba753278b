import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { ItemImage } from '../../../../src/client/shapes.ts';
import { localUrl } from '../../api/kensa.ts';
import { labelsQuery } from '../../api/queries.ts';
import { may } from '../../api/session.ts';
import { IconButton } from '../../components/button.tsx';
import { CompactSelect } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { scoreText } from '../../components/score-text.ts';
import { isForScreen, useShortcuts } from '../../components/shortcuts.ts';
import { dateText, type MessageKey, t } from '../../i18n/text.ts';
import { useStore } from '../../store.ts';
import { AnomalyLayer } from '../viewer/anomaly-layer.tsx';
import { colourOf } from '../viewer/anomaly-map.ts';
import { inTheMiddle, type Rectangle } from '../viewer/geometry.ts';
import { ImageFrame, useViewport, type ViewportControl } from '../viewer/image-frame.tsx';
import { RectangleLayer } from '../viewer/rectangle-layer.tsx';
import { SplitHandle } from '../viewer/split-handle.tsx';
import { drawDrag, editDrag, usePointerDrag } from '../viewer/use-pointer-drag.ts';
import { reviewMode } from './review-mode.ts';
import { type HeatmapMode, heatmap, heatmapModes, type ItemView, shownMode } from './use-item-keys.ts';
import type { Review } from './use-review.ts';

interface ViewerProps {
  view: ItemView;
  image: ItemImage;
}

/** The regions that the model found on an image. */
export function regionsOn(imageName: string, { item, assessment }: Pick<ItemView, 'item' | 'assessment'>) {
  const [first] = item.images;
  return (assessment?.annotations ?? []).filter(({ image = first?.name }) => image === imageName);
}

export function ItemViewer({ view, image, review }: ViewerProps & { review: Review }) {
  const { item, assessment, regions, tool } = view;
  const { mode, opacity } = useStore(heatmap);
  const isBare = useHeldSpace();
  const [split, setSplit] = useState(0.5);
  const [tried, setTried] = useState<number>();
  const isReviewing = useStore(reviewMode);
  const labels = useQuery(labelsQuery()).data ?? [];
  const control = useViewport(image, image.name);
  const [drawn, setDrawn] = useState<Rectangle>();
  const drag = usePointerDrag(
    control,
    (target, _at, pointerType) => {
      const edit = (rectangle: Rectangle) => regions.selected && regions.change(regions.selected.key, rectangle);
      if (regions.selected && may('inspector') && target.closest('[data-handle]'))
        return editDrag(target, regions.selected, image, edit);
      if (tool === 'draw') {
        return drawDrag(image, setDrawn, (rectangle) => {
          regions.add(rectangle, image.name);
        });
      }
      const key = target.closest('[data-region]')?.getAttribute('data-region');
      const region = regions.all.find((one) => one.key === key);
      regions.select(region?.key);
      if (!region || !may('inspector')) return undefined;
      // A swipe over a region moves nothing: a finger selects it first.
      if (pointerType === 'touch' && region !== regions.selected) return undefined;
      return editDrag(target, region, image, (rectangle) => regions.change(region.key, rectangle));
    },
    (step) => void review.go(step),
  );
  /** Shows the selected region, or the first one, large; the next press shows the whole image. */
  const zoomToRegion = () => {
    const [first] = [...here, ...found];
    const wanted = regions.selected ?? first;
    if (wanted && control.isWhole) control.showPart(wanted);
    else control.showWhole();
  };
  useShortcuts({
    '+': () => control.zoom(1.3),
    '-': () => control.zoom(1 / 1.3),
    z: () => zoomToRegion(),
    // With a region selected, 0 is a label.
    ...(regions.selected ? {} : { '0': control.showWhole }),
  });
  const here = regions.all.filter((region) => region.image === image.name);
  const nameOf = (label: number | null) =>
    label === null ? undefined : (labels.find((one) => one.label === label)?.name ?? String(label));
  const captioned = <Labelled extends { label?: number | null }>(region: Labelled) => {
    const caption = nameOf(region.label ?? null);
    return caption === undefined ? region : { ...region, caption };
  };
  const isHere = (name: string | undefined) => (name ?? item.images[0]?.name) === image.name;
  const found = regionsOn(image.name, view);
  // A removed image may have left its thumbnail.
  const source = image.url ?? image.thumbnail_url;
  const overlay = assessment?.images?.find((one) => isHere(one.name));
  const mapUrl = overlay?.map_url;
  const shown = mode !== 'original' && !isBare;
  const decided = assessment?.threshold ?? 0.5;
  const limit = tried ?? decided;

  return (
    <div
      className={`relative flex min-w-0 flex-col ${isReviewing ? 'flex-1' : 'h-[52dvh] md:max-lg:low:h-[68dvh] lg:h-auto lg:flex-1'}`}
    >
      {item.images_removed_at && (
        <p role="status" className="bg-warn-soft px-4 py-2 text-warn">
          {t(image.thumbnail_url ? 'thumbnailOnly' : 'imageRemoved', { date: dateText(item.images_removed_at) })}
        </p>
      )}
      <ImageFrame
        control={control}
        size={image}
        src={source === undefined ? undefined : localUrl(source)}
        fallbackSrc={image.thumbnail_url === undefined ? undefined : localUrl(image.thumbnail_url)}
        alt={source === undefined ? '' : t('itemImageAlt', { name: item.name, image: image.name })}
        // A verdict of an earlier version has no map.
        overlay={shown && overlay && !mapUrl ? { src: localUrl(overlay.url), opacity } : undefined}
        className={`flex-1 ${tool === 'draw' ? 'cursor-crosshair' : 'cursor-grab active:cursor-grabbing'}`}
        data-testid="image-frame"
        {...drag}
      >
        {shown && mapUrl && (
          <AnomalyLayer
            url={mapUrl}
            limit={limit}
            opacity={mode === 'contour' ? opacity * contourFill : opacity}
            from={mode === 'split' ? split : undefined}
            size={image}
            view={control.view}
          />
        )}
        {shown && mapUrl && mode === 'split' && <SplitHandle at={split} onChange={setSplit} />}
        {!isBare && (
          <RectangleLayer
            view={control.view}
            readOnly={found.map((region, index) => {
              const score = scoreText(Number(region.notes), assessment?.threshold);
              const caption = [nameOf(region.label ?? null), score].filter(Boolean).join(' ');
              return { ...region, key: `model-${index}`, caption };
            })}
            rectangles={[...here.map(captioned), ...(drawn ? [{ ...drawn, key: 'drawn' }] : [])]}
            selected={regions.selected?.key}
          />
        )}
      </ImageFrame>
      <ViewerTools view={view} image={image} control={control} hasHeatmap={overlay !== undefined}>
        {mapUrl && mode !== 'original' && <LimitControl limit={limit} decided={decided} onChange={setTried} />}
      </ViewerTools>
    </div>
  );
}

interface ViewerToolsProps extends ViewerProps {
  control: ViewportControl;
  hasHeatmap: boolean;
  children: ReactNode;
}

function ViewerTools({ view, image, control, hasHeatmap, children }: ViewerToolsProps) {
  const { item, regions, tool, setTool, setImageIndex } = view;
  return (
    <div className="flex flex-wrap items-center gap-x-1 border-t border-line bg-surface px-1 py-0.5 xl:px-2">
      <IconButton
        icon="rectangle"
        needs="inspector"
        label={t('drawRegion')}
        aria-pressed={tool === 'draw'}
        onClick={() => setTool(tool === 'draw' ? 'pan' : 'draw')}
      />
      <IconButton
        needs="inspector"
        icon="add-rectangle"
        label={t('addRegion')}
        onClick={() => regions.add(inTheMiddle(image), image.name)}
      />
      <span className="mx-1 h-6 border-l border-line max-xl:hidden" />
      <IconButton icon="minus" label={t('zoomOut')} onClick={() => control.zoom(1 / 1.3)} />
      <output className="min-w-11 text-center text-[13px] text-ink-soft">
        {Math.round(control.view.scale * 100)}
        {'\u00a0'}%
      </output>
      <IconButton icon="plus" label={t('zoomIn')} onClick={() => control.zoom(1.3)} />
      <IconButton icon="fit" label={t('fitImage')} onClick={control.showWhole} />
      {hasHeatmap && (
        <span className="ml-auto flex flex-wrap items-center gap-x-2">
          {children}
          <HeatmapControl />
        </span>
      )}
      {item.images.length > 1 && (
        <fieldset aria-label={t('imagesOfItem')} className="flex w-full gap-1 overflow-x-auto pb-1">
          {item.images.map((one, index) => (
            <button
              key={one.name}
              type="button"
              aria-pressed={one === image}
              onClick={() => setImageIndex(index)}
              title={one.name}
              className="max-w-40 truncate rounded border border-line px-2 py-1 text-[13px] aria-pressed:border-accent aria-pressed:bg-accent-soft"
            >
              {one.name}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

/** The fill beside a contour, as a share of the heatmap's own. */
const contourFill = 0.5;

/** Whether the space key is held: the image is shown alone. On a button, it presses the button. */
function useHeldSpace(): boolean {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== ' ' || !isForScreen(event) || document.activeElement?.closest('button, a, input')) return;
      event.preventDefault();
      setHeld(true);
    };
    const onKeyUp = (event: KeyboardEvent) => event.key === ' ' && setHeld(false);
    const onBlur = () => setHeld(false);
    addEventListener('keydown', onKeyDown);
    addEventListener('keyup', onKeyUp);
    addEventListener('blur', onBlur);
    return () => {
      removeEventListener('keydown', onKeyDown);
      removeEventListener('keyup', onKeyUp);
      removeEventListener('blur', onBlur);
    };
  }, []);
  return isHeld;
}

interface LimitControlProps {
  limit: number;
  /** The threshold that the verdict was made with. */
  decided: number;
  onChange: (limit: number | undefined) => void;
}

const legendColours = 20;

/** The colours of the scores. The limit can be moved to see what it would outline; nothing is saved. */
function LimitControl({ limit, decided, onChange }: LimitControlProps) {
  const stops = Array.from({ length: legendColours + 1 }, (_, index) => {
    const [red, green, blue, opacity] = colourOf(index / legendColours, limit);
    return `rgb(${red} ${green} ${blue} / ${opacity / 255}) ${(100 * index) / legendColours}%`;
  });
  const reset = t('mapLimitReset', { limit: decided.toFixed(2) });
  return (
    <span className="flex items-center gap-2 text-[13px]">
      <label className="flex items-center gap-2">
        {t('mapLimit')}
        <span className="flex w-20 flex-col">
          <span
            className="h-1.5 rounded-sm border border-line"
            style={{ backgroundImage: `linear-gradient(to right, ${stops.join(', ')})` }}
          />
          <input
            type="range"
            min="0.02"
            max="0.98"
            step="0.01"
            className="h-6 accent-(--accent)"
            value={limit}
            onChange={(event) => onChange(Number(event.target.value))}
          />
        </span>
      </label>
      <span className="relative flex w-8 flex-col items-center">
        <span className="leading-4 tabular-nums">{limit.toFixed(2)}</span>
        {/* It keeps its place while it is hidden, so that the slider stays under the pointer. A finger hits the figure, too. */}
        <button
          type="button"
          aria-label={reset}
          title={`${reset}\n${t('mapLimitTried')}`}
          className={`flex h-6 w-full items-center justify-center text-accent after:absolute after:-inset-x-1.5 after:-inset-y-0.5 ${limit === decided ? 'invisible' : ''}`}
          onClick={() => onChange(undefined)}
        >
          <Icon name="undo" size={16} />
        </button>
      </span>
    </span>
  );
}

const modeTexts: Record<HeatmapMode, MessageKey> = {
  contour: 'modeContour',
  heat: 'heatmap',
  original: 'modeOriginal',
  split: 'modeSplit',
};

function HeatmapControl() {
  const { mode, opacity } = useStore(heatmap);
  return (
    <span className="flex items-center gap-2 text-[13px]">
      <CompactSelect
        label={t('heatmap')}
        aria-keyshortcuts="H"
        value={mode}
        options={heatmapModes.map((one) => [one, t(modeTexts[one])] as const)}
        onChange={(next) => heatmap.set({ mode: heatmapModes.find((one) => one === next) ?? mode, opacity })}
      />
      <input
        type="range"
        min="0.1"
        max="1"
        step="0.1"
        aria-label={t('heatmapOpacity')}
        className="h-9 w-16 accent-(--accent) max-xl:w-12"
        value={opacity}
        onChange={(event) => heatmap.set({ mode: shownMode(mode), opacity: Number(event.target.value) })}
      />
    </span>
  );
}
