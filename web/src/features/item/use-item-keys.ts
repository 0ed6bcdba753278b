import type { Item, ItemImage, ModelAssessment, Verdict } from '../../../../src/client/shapes.ts';
import { may } from '../../api/session.ts';
import { type Shortcuts, useShortcuts } from '../../components/shortcuts.ts';
import { createStore, useStore } from '../../store.ts';
import { inTheMiddle, move, type Rectangle, resize } from '../viewer/geometry.ts';
import { reviewMode } from './review-mode.ts';
import type { Regions } from './use-regions.ts';
import type { Review } from './use-review.ts';

export type ImageTool = 'pan' | 'draw';

/** Shared by the parts of the item screen. */
export interface ItemView {
  readonly item: Item;
  readonly image: ItemImage | undefined;
  readonly assessment: ModelAssessment | undefined;
  readonly regions: Regions;
  readonly tool: ImageTool;
  setTool(tool: ImageTool): void;
  setImageIndex(index: number): void;
  setModelId(modelId: string): void;
  /** Asks what the model compares this place with; absent: the place that differs most. */
  explain(place?: Rectangle): void;
}

/** The image under the line of the limit and a weak fill, under the fill, alone, or alone on its left half. */
export const heatmapModes = ['contour', 'heat', 'original', 'split'] as const;
export type HeatmapMode = (typeof heatmapModes)[number];

/** The setting stays when the reviewer goes to the next item. */
export const heatmap = createStore<{ mode: HeatmapMode; opacity: number }>({ mode: 'contour', opacity: 0.5 });

/** A change of the strength shows the heatmap. */
export const shownMode = (mode: HeatmapMode): HeatmapMode => (mode === 'original' ? 'heat' : mode);

/** Keys of the item screen. The arrow keys move the selected region; without one they go to another item. */
export function useItemKeys(
  { image, regions, tool, setTool, explain }: ItemView,
  review: Review,
  { decide, decideKind }: { decide: (verdict: Verdict) => void; decideKind: (label: number) => void },
) {
  const isReviewing = useStore(reviewMode);
  const mayJudge = may('inspector');
  const strengthen = (by: number) => {
    const opacity = Math.round((heatmap.get().opacity + by) * 10) / 10;
    heatmap.set({ mode: shownMode(heatmap.get().mode), opacity: Math.max(0.1, Math.min(1, opacity)) });
  };
  const nextMode = () => {
    const { mode, opacity } = heatmap.get();
    const next = heatmapModes[(heatmapModes.indexOf(mode) + 1) % heatmapModes.length] ?? mode;
    heatmap.set({ mode: next, opacity });
  };
  useShortcuts({
    j: () => void review.go(1),
    k: () => void review.go(-1),
    h: nextMode,
    c: () => explain(),
    '[': () => strengthen(-0.1),
    ']': () => strengthen(0.1),
    f: () => reviewMode.set(!isReviewing),
    b: () => selectNext(regions, image?.name),
    Escape: () => {
      if (regions.selected) regions.select(undefined);
      else if (tool === 'draw') setTool('pan');
      else if (isReviewing) reviewMode.set(false);
      else review.back();
    },
    ...(mayJudge && {
      o: () => decide('OK'),
      n: () => decide('NG'),
      r: () => setTool(tool === 'draw' ? 'pan' : 'draw'),
      'Shift+r': () => image && regions.add(inTheMiddle(image), image.name),
    }),
    ...(mayJudge && regions.selected && image
      ? regionKeys(regions, image)
      : { ArrowRight: () => void review.go(1), ArrowLeft: () => void review.go(-1) }),
    ...(mayJudge && isReviewing && !regions.selected ? kindKeys(decideKind) : {}),
  });
}

/** In review mode, a digit is NG of this kind. 0 shows the whole image. */
function kindKeys(decideKind: (label: number) => void): Shortcuts {
  const labels = Array.from({ length: 9 }, (_, index) => index + 1);
  return Object.fromEntries(labels.map((label) => [String(label), () => decideKind(label)]));
}

function selectNext(regions: Regions, imageName: string | undefined): void {
  const here = regions.all.filter((region) => region.image === imageName);
  const index = here.findIndex((region) => region.key === regions.selected?.key);
  regions.select(here[(index + 1) % Math.max(1, here.length)]?.key);
}

function regionKeys(regions: Regions, image: ItemImage): Shortcuts {
  const { selected } = regions;
  if (!selected) return {};
  const by = (event: KeyboardEvent): number => (event.shiftKey ? 10 : 1);
  const shift = (x: number, y: number) => (event: KeyboardEvent) =>
    regions.change(selected.key, move(selected, { x: x * by(event), y: y * by(event) }, image));
  const grow = (x: number, y: number) => (event: KeyboardEvent) =>
    regions.change(selected.key, resize(selected, 'se', { x: x * by(event), y: y * by(event) }, image));
  const remove = () => regions.remove(selected.key);
  const digits = Array.from({ length: 10 }, (_, label) => [
    String(label),
    () => regions.change(selected.key, { label }),
  ]);
  return {
    ArrowLeft: shift(-1, 0),
    ArrowRight: shift(1, 0),
    ArrowUp: shift(0, -1),
    ArrowDown: shift(0, 1),
    a: grow(-1, 0),
    d: grow(1, 0),
    w: grow(0, -1),
    s: grow(0, 1),
    Delete: remove,
    Backspace: remove,
    ...Object.fromEntries(digits),
  };
}
