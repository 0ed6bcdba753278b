import { type KeyboardEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { t } from '../../i18n/text.ts';
import type { Point, Viewport } from '../viewer/geometry.ts';
import { ImageFrame } from '../viewer/image-frame.tsx';
import { usePointerDrag } from '../viewer/use-pointer-drag.ts';
import { useViewport } from '../viewer/use-viewport.ts';
import type { StepConfig } from './draft-steps.ts';
import { type Polygon, replaceCorner, toPixels, toUnit, type Unit } from './polygons.ts';
import { frameClass, PreviewNote } from './preview-image.tsx';
import type { Preview } from './use-preview.ts';

interface MaskCanvasProps {
  preview: Preview;
  config: StepConfig;
  onChange: (config: StepConfig) => void;
}

const closingPixels = 12;

/** Corners are dragged. Clicks elsewhere draw a new polygon; a click on its first corner closes it. */
export function MaskCanvas({ preview, config, onChange }: MaskCanvasProps) {
  const control = useViewport(preview, `${preview.width}×${preview.height}`);
  const unit: Unit = config['unit'] === 'pixel' ? 'pixel' : 'percent';
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
    const step = event.shiftKey ? 10 : 1;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    const from = polygons[polygon]?.[corner];
    if (!by || !from) return;
    event.preventDefault();
    const { x, y } = toPixels(from, unit, preview);
    const moved = toUnit({ x: x + (by[0] ?? 0), y: y + (by[1] ?? 0) }, unit, preview);
    setPolygons(replaceCorner(polygons, polygon, corner, moved));
  };
  return (
    <>
      <ImageFrame
        control={control}
        size={preview}
        src={preview.src}
        alt={t('mask')}
        data-testid="mask-canvas"
        className={`${frameClass} cursor-crosshair`}
        {...drag}
      >
        <PolygonLayer
          view={control.view}
          polygons={polygons.map((polygon) => polygon.map((corner) => toPixels(corner, unit, preview)))}
          open={open}
          onKey={nudge}
        />
      </ImageFrame>
      <PreviewNote preview={preview} hint={t('drawMask')} />
      {open.length > 0 && (
        <Button size="small" className="mt-2" onClick={() => setOpen([])}>
          {t('cancelPolygon')}
        </Button>
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
  const place = ({ x, y }: Point): Point => ({ x: x * view.scale + view.x, y: y * view.scale + view.y });
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
