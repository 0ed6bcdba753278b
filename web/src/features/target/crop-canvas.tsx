import { useState } from 'react';
import { t } from '../../i18n/text.ts';
import { fromCorners, type Rectangle, type Size } from '../viewer/geometry.ts';
import { RectangleLayer } from '../viewer/rectangle-layer.tsx';
import { drawDrag, editDrag, usePointerDrag } from '../viewer/use-pointer-drag.ts';
import type { StepConfig } from './draft-steps.ts';
import { roundHundredth, toPixels, toUnit, unitOf } from './polygons.ts';
import { type Preview, PreviewFrame, usePreviewViewport } from './preview.tsx';

export interface CanvasProps {
  preview: Preview;
  config: StepConfig;
  onChange: (config: StepConfig) => void;
}

/** The rectangle to keep. It is moved and resized by its handles; a drag outside of it draws a new one. */
export function CropCanvas({ preview, config, onChange }: CanvasProps) {
  const control = usePreviewViewport(preview);
  const kept = readCrop(config, preview);
  const [drawn, setDrawn] = useState<Rectangle>();
  const set = (rectangle: Rectangle) => onChange({ ...config, ...writeCrop(rectangle, config, preview) });
  const drag = usePointerDrag(control, (target) =>
    target.closest('[data-handle], [data-region]')
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
