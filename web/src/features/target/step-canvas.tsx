import { type KeyboardEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { t } from '../../i18n/text.ts';
import {
  arrowStep,
  fromCorners,
  type Point,
  type Rectangle,
  type Size,
  toFrame,
  type Viewport,
} from '../viewer/geometry.ts';
import { RectangleLayer } from '../viewer/rectangle-layer.tsx';
import { drawDrag, editDrag, usePointerDrag } from '../viewer/use-pointer-drag.ts';
import {
  type Polygon,
  replaceCorner,
  roundHundredth,
  type StepConfig,
  toPixels,
  toUnit,
  unitOf,
} from './draft-steps.ts';
import { type Preview, PreviewFrame, usePreviewViewport } from './preview.tsx';

export interface CanvasProps {
  preview: Preview;
  config: StepConfig;
  onChange: (config: StepConfig) => void;
}

/** The rectangle to keep. Its handles resize it, the mark in its middle moves it; any other drag draws a new one. */
export function CropCanvas({ preview, config, onChange }: CanvasProps) {
  const control = usePreviewViewport(preview);
  const kept = readCrop(config, preview);
  const [drawn, setDrawn] = useState<Rectangle>();
  const set = (rectangle: Rectangle) => onChange({ ...config, ...writeCrop(rectangle, config, preview) });
  const drag = usePointerDrag(control, (target) =>
    target.closest('[data-handle], [data-move]')
      ? editDrag(target, kept, preview, set)
      : drawDrag(preview, setDrawn, set),
  );
  return (
    <PreviewFrame
      preview={preview}
      control={control}
      alt={t('crop')}
      hint={t('drawCrop')}
      data-testid="crop-canvas"
      className="cursor-crosshair"
      {...drag}
    >
      <RectangleLayer
        view={control.view}
        dimOutside
        rectangles={[{ ...(drawn ?? kept), key: 'crop' }]}
        selected={drawn ? undefined : 'crop'}
        movesByMiddle
      />
    </PreviewFrame>
  );
}

function readCrop(config: StepConfig, image: Size): Rectangle {
  const unit = unitOf(config);
  const number = (name: string): number => Number(config[name] ?? 0);
  const least = toPixels([number('x'), number('y')], unit, image);
  const most = toPixels([number('x') + number('width'), number('y') + number('height')], unit, image);
  return fromCorners(least, most, image);
}

function writeCrop(rectangle: Rectangle, config: StepConfig, image: Size) {
  const [x, y] = toUnit({ x: rectangle.x_min, y: rectangle.y_min }, unitOf(config), image);
  const [right, bottom] = toUnit({ x: rectangle.x_max, y: rectangle.y_max }, unitOf(config), image);
  return { x, y, width: roundHundredth(right - x), height: roundHundredth(bottom - y) };
}

const closingPixels = 12;

/** Corners are dragged. Clicks elsewhere draw a new polygon; a click on its first corner closes it. */
export function MaskCanvas({ preview, config, onChange }: CanvasProps) {
  const control = usePreviewViewport(preview);
  const unit = unitOf(config);
  const polygons = (config['polygons'] ?? []) as readonly Polygon[];
  const [open, setOpen] = useState<readonly Point[]>([]);
  const setPolygons = (next: readonly Polygon[]) => onChange({ ...config, polygons: next });

  const press = (at: Point) => {
    const [first] = open;
    const near = first && Math.hypot(at.x - first.x, at.y - first.y) * control.view.scale < closingPixels;
    if (!near || open.length < 3) return setOpen([...open, at]);
    setPolygons([...polygons, open.map((corner) => toUnit(corner, unit, preview))]);
    setOpen([]);
  };
  const drag = usePointerDrag(control, (target, at) => {
    const name = target.closest('[data-corner]')?.getAttribute('data-corner');
    if (!name) return { move: () => undefined, end: () => press(at) };
    const [polygon = 0, corner = 0] = name.split('-').map(Number);
    return { move: (to) => setPolygons(replaceCorner(polygons, polygon, corner, toUnit(to, unit, preview))) };
  });
  const nudge = (polygon: number, corner: number) => (event: KeyboardEvent) => {
    const by = arrowStep(event);
    const from = polygons[polygon]?.[corner];
    if (!by || !from) return;
    event.preventDefault();
    const { x, y } = toPixels(from, unit, preview);
    const moved = toUnit({ x: x + by.x, y: y + by.y }, unit, preview);
    setPolygons(replaceCorner(polygons, polygon, corner, moved));
  };
  return (
    <>
      <PreviewFrame
        preview={preview}
        control={control}
        alt={t('mask')}
        hint={t('drawMask')}
        data-testid="mask-canvas"
        className="cursor-crosshair"
        {...drag}
      >
        <PolygonLayer
          view={control.view}
          polygons={polygons.map((polygon) => polygon.map((corner) => toPixels(corner, unit, preview)))}
          open={open}
          onKey={nudge}
        />
      </PreviewFrame>
      {open.length > 0 && (
        <Button label={t('cancelPolygon')} size="small" className="mt-2" onClick={() => setOpen([])} />
      )}
    </>
  );
}

interface PolygonLayerProps {
  view: Viewport;
  polygons: readonly (readonly Point[])[];
  open: readonly Point[];
  onKey: (polygon: number, corner: number) => (event: KeyboardEvent) => void;
}

function PolygonLayer({ view, polygons, open, onKey }: PolygonLayerProps) {
  const place = (corner: Point) => toFrame(view, corner);
  const path = (points: readonly Point[]): string =>
    points
      .map(place)
      .map(({ x, y }) => `${x},${y}`)
      .join(' ');
  return (
    <svg className="absolute inset-0 size-full">
      <title>{t('shiftCorners')}</title>
      {polygons.map((polygon, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: polygons have no other name than their place
        <polygon key={index} points={path(polygon)} fill="#ff5c4d" fillOpacity="0.3" stroke="#fff" strokeWidth="1.5" />
      ))}
      {polygons.flatMap((polygon, index) =>
        polygon.map((corner, at) => {
          const { x, y } = place(corner);
          return (
            // biome-ignore lint/a11y/useSemanticElements: a corner on a drawing cannot be an element of HTML
            <g
              // biome-ignore lint/suspicious/noArrayIndexKey: corners have no other name than their place
              key={`${index}-${at}`}
              data-corner={`${index}-${at}`}
              role="button"
              tabIndex={0}
              aria-label={t('cornerLabel', { n: at + 1, polygon: index + 1 })}
              onKeyDown={onKey(index, at)}
              className="cursor-move"
            >
              <circle cx={x} cy={y} r="13" fill="transparent" />
              <circle cx={x} cy={y} r="5" fill="#fff" stroke="#000" strokeOpacity="0.7" />
            </g>
          );
        }),
      )}
      <polyline points={path(open)} fill="none" stroke="#ffd54a" strokeWidth="2" />
      {open.map(place).map(({ x, y }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: corners have no other name than their place
        <circle key={index} cx={x} cy={y} r={index === 0 ? 7 : 4} fill="#ffd54a" stroke="#000" />
      ))}
    </svg>
  );
}
