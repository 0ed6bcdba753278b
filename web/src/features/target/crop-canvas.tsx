import { useState } from 'react';
import { t } from '../../i18n/text.ts';
import { fromCorners, type Rectangle, type Size } from '../viewer/geometry.ts';
import { ImageFrame } from '../viewer/image-frame.tsx';
import { RectangleLayer } from '../viewer/rectangle-layer.tsx';
import { drawDrag, editDrag, usePointerDrag } from '../viewer/use-pointer-drag.ts';
import { useViewport } from '../viewer/use-viewport.ts';
import type { StepConfig } from './draft-steps.ts';
import { toPixels, toUnit, type Unit } from './polygons.ts';
import { frameClass, PreviewNote } from './preview-image.tsx';
import type { Preview } from './use-preview.ts';

interface CropCanvasProps {
  preview: Preview;
  config: StepConfig;
  onChange: (config: StepConfig) => void;
}

/** The rectangle to keep. It is moved and resized by its handles; a drag outside of it draws a new one. */
export function CropCanvas({ preview, config, onChange }: CropCanvasProps) {
  const control = useViewport(preview, `${preview.width}×${preview.height}`);
  const unit: Unit = config['unit'] === 'pixel' ? 'pixel' : 'percent';
  const kept = readCrop(config, unit, preview);
  const [drawn, setDrawn] = useState<Rectangle>();
  const set = (rectangle: Rectangle) => onChange({ ...config, ...writeCrop(rectangle, unit, preview) });
  const drag = usePointerDrag(control, (target) =>
    target.closest('[data-handle], [data-region]')
      ? editDrag(target, kept, preview, set)
      : drawDrag(preview, setDrawn, set),
  );
  return (
    <>
      <ImageFrame
        control={control}
        size={preview}
        src={preview.src}
        alt={t('crop')}
        data-testid="crop-canvas"
        className={`${frameClass} cursor-crosshair`}
        {...drag}
      >
        <RectangleLayer
          view={control.view}
          dimOutside
          rectangles={[{ ...(drawn ?? kept), key: 'crop' }]}
          selected={drawn ? undefined : 'crop'}
        />
      </ImageFrame>
      <PreviewNote preview={preview} hint={t('drawCrop')} />
    </>
  );
}

function readCrop(config: StepConfig, unit: Unit, image: Size): Rectangle {
  const number = (name: string): number => Number(config[name] ?? 0);
  const least = toPixels([number('x'), number('y')], unit, image);
  const most = toPixels([number('x') + number('width'), number('y') + number('height')], unit, image);
  return fromCorners(least, most, image);
}

function writeCrop(rectangle: Rectangle, unit: Unit, image: Size) {
  const [x, y] = toUnit({ x: rectangle.x_min, y: rectangle.y_min }, unit, image);
  const [right, bottom] = toUnit({ x: rectangle.x_max, y: rectangle.y_max }, unit, image);
  const round = (value: number): number => Math.round(value * 100) / 100;
  return { x, y, width: round(right - x), height: round(bottom - y) };
}
