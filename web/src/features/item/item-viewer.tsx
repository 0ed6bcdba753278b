import { useState } from 'react';
import type { Item, ItemImage, Label, ModelAssessment } from '../../../../src/client/shapes.ts';
import { localUrl } from '../../api/kensa.ts';
import { useShortcuts } from '../../components/shortcuts.ts';
import { useText } from '../../i18n/use-text.ts';
import { ImageFrame } from '../viewer/image-frame.tsx';
import { fromCorners, type Handle, isDrawn, move, type Rectangle, resize } from '../viewer/rectangle.ts';
import { RectangleLayer } from '../viewer/rectangle-layer.tsx';
import { type DragAction, usePointerDrag } from '../viewer/use-pointer-drag.ts';
import { useViewport } from '../viewer/use-viewport.ts';
import type { Point } from '../viewer/viewport.ts';
import type { HeatmapSetting, ImageTool } from './use-item-keys.ts';
import type { Regions } from './use-regions.ts';
import { ViewerTools } from './viewer-tools.tsx';

interface ItemViewerProps {
  item: Item;
  image: ItemImage;
  imageIndex: number;
  assessment: ModelAssessment | undefined;
  regions: Regions;
  labels: readonly Label[];
  tool: ImageTool;
  setTool: (tool: ImageTool) => void;
  heatmap: HeatmapSetting;
  setHeatmap: (heatmap: HeatmapSetting) => void;
  onImage: (index: number) => void;
}

export function ItemViewer(props: ItemViewerProps) {
  const { item, image, imageIndex, assessment, regions, labels, tool, setTool, heatmap, setHeatmap, onImage } = props;
  const t = useText();
  const control = useViewport(image, image.name);
  const [drawn, setDrawn] = useState<Rectangle>();
  const drag = usePointerDrag(control, (target, at) =>
    beginDrag({ target, at, tool, image, regions, setDrawn, setTool }),
  );
  useShortcuts({
    '+': () => control.zoom(1.3),
    '-': () => control.zoom(1 / 1.3),
    ...zoomReset(regions, control.showWhole),
  });
  const here = regions.all.filter((region) => region.image === image.name);
  const nameOf = (label: number | null) =>
    label === null ? undefined : (labels.find((one) => one.label === label)?.name ?? String(label));
  const isHere = (name: string | undefined) => (name ?? item.images[0]?.name) === image.name;
  const found = (assessment?.annotations ?? []).filter((annotation) => isHere(annotation.image));
  const overlay = assessment?.images?.find((one) => isHere(one.name));

  return (
    <div className="relative flex h-[52dvh] min-w-0 flex-col lg:h-auto lg:flex-1">
      <ImageFrame
        control={control}
        size={image}
        src={localUrl(image.url)}
        fallbackSrc={image.thumbnail_url === undefined ? undefined : localUrl(image.thumbnail_url)}
        alt={t('itemImageAlt', { name: item.name, image: image.name })}
        overlay={overlay && heatmap.shown ? { src: localUrl(overlay.url), opacity: heatmap.opacity } : undefined}
        className={`flex-1 ${tool === 'draw' ? 'cursor-crosshair' : 'cursor-grab active:cursor-grabbing'}`}
        data-testid="image-frame"
        {...drag}
      >
        <RectangleLayer
          view={control.view}
          readOnly={found.map((region) => ({ ...region, key: `model-${region.annotation_id}` }))}
          rectangles={[
            ...here.map((region) => {
              const caption = nameOf(region.label);
              return caption === undefined ? region : { ...region, caption };
            }),
            ...(drawn ? [{ ...drawn, key: 'drawn' }] : []),
          ]}
          selected={regions.selected?.key}
        />
      </ImageFrame>
      <ViewerTools
        {...{ item, imageIndex, tool, setTool, heatmap, setHeatmap, control, onImage }}
        hasHeatmap={overlay !== undefined}
        onAdd={(rectangle) => regions.add(rectangle, image.name)}
      />
    </div>
  );
}

// With a region selected, 0 is a label.
const zoomReset = (regions: Regions, showWhole: () => void) => (regions.selected ? {} : { '0': showWhole });

interface DragContext {
  target: Element;
  at: Point;
  tool: ImageTool;
  image: ItemImage;
  regions: Regions;
  setDrawn: (rectangle: Rectangle | undefined) => void;
  setTool: (tool: ImageTool) => void;
}

/** A handle resizes, a region moves, the drawing tool draws; anything else pans. */
function beginDrag({ target, tool, image, regions, setDrawn, setTool }: DragContext): DragAction | undefined {
  const handle = target.closest('[data-handle]')?.getAttribute('data-handle') as Handle | null | undefined;
  const by = (to: Point, from: Point): Point => ({ x: to.x - from.x, y: to.y - from.y });
  const { selected } = regions;
  if (handle && selected) {
    return {
      move: (to, from) => regions.change(selected.key, resize(selected, handle, by(to, from), image)),
      cancel: () => regions.change(selected.key, selected),
    };
  }
  if (tool === 'draw') {
    return {
      move: (to, from) => setDrawn(fromCorners(from, to, image)),
      end: (to, from) => {
        const rectangle = fromCorners(from, to, image);
        setDrawn(undefined);
        if (!isDrawn(rectangle)) return;
        regions.add(rectangle, image.name);
        setTool('pan');
      },
      cancel: () => setDrawn(undefined),
    };
  }
  const key = target.closest('[data-region]')?.getAttribute('data-region');
  const region = regions.all.find((one) => one.key === key);
  regions.select(region?.key);
  if (!region) return undefined;
  return {
    move: (to, from) => regions.change(region.key, move(region, by(to, from), image)),
    cancel: () => regions.change(region.key, region),
  };
}
