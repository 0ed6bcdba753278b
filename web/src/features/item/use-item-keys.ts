import type { ItemImage } from '../../../../src/client/shapes.ts';
import { type Shortcuts, useShortcuts } from '../../components/shortcuts.ts';
import { inTheMiddle, move, resize } from '../viewer/rectangle.ts';
import type { Regions } from './use-regions.ts';
import type { Review } from './use-review.ts';

export type ImageTool = 'pan' | 'draw';

export interface HeatmapSetting {
  readonly shown: boolean;
  readonly opacity: number;
}

interface ItemKeys {
  image: ItemImage | undefined;
  regions: Regions;
  tool: ImageTool;
  setTool: (tool: ImageTool) => void;
  heatmap: HeatmapSetting;
  setHeatmap: (heatmap: HeatmapSetting) => void;
  judge: (good: boolean, thenNext: boolean) => void;
  review: Review;
}

/** Keys of the item screen. The arrow keys move the selected region; without one they go to another item. */
export function useItemKeys(keys: ItemKeys): void {
  const { image, regions, tool, setTool, heatmap, setHeatmap, judge, review } = keys;
  const strengthen = (by: number) =>
    setHeatmap({ shown: true, opacity: Math.max(0.1, Math.min(1, Math.round((heatmap.opacity + by) * 10) / 10)) });
  useShortcuts({
    o: () => judge(true, true),
    n: () => judge(false, true),
    j: () => void review.go(1),
    k: () => void review.go(-1),
    h: () => setHeatmap({ ...heatmap, shown: !heatmap.shown }),
    '[': () => strengthen(-0.1),
    ']': () => strengthen(0.1),
    r: () => setTool(tool === 'draw' ? 'pan' : 'draw'),
    'Shift+r': () => image && regions.add(inTheMiddle(image), image.name),
    b: () => selectNext(regions, image?.name),
    Escape: () => {
      if (regions.selected) regions.select(undefined);
      else if (tool === 'draw') setTool('pan');
      else review.back();
    },
    ...(regions.selected && image
      ? regionKeys(regions, image)
      : { ArrowRight: () => void review.go(1), ArrowLeft: () => void review.go(-1) }),
  });
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
