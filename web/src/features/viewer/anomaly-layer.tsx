import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { loadFile } from '../../api/kensa.ts';
import { type AnomalyMap, colourMap, contourOf } from './anomaly-map.ts';
import type { Size, Viewport } from './geometry.ts';

/** The map as the service sends it. Its link names its content. */
export const anomalyMapQuery = (url: string) =>
  queryOptions({
    queryKey: ['anomaly-map', url],
    queryFn: async ({ signal }): Promise<AnomalyMap> => {
      const picture = await createImageBitmap(await loadFile(url, signal), { colorSpaceConversion: 'none' });
      const { width, height } = picture;
      const context = new OffscreenCanvas(width, height).getContext('2d');
      if (!context) throw new Error('This browser has no canvas.');
      context.drawImage(picture, 0, 0);
      const pixels = context.getImageData(0, 0, width, height).data;
      return { width, height, data: Uint8Array.from({ length: width * height }, (_, index) => pixels[4 * index] ?? 0) };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

interface AnomalyLayerProps {
  url: string;
  /** The score at which the verdict changes. */
  limit: number;
  /** Of the fill, up to 1. */
  opacity: number;
  /** Only to the right of this share of the frame's width; absent: everywhere. */
  from?: number | undefined;
  size: Size;
  view: Viewport;
}

/** The colours of an anomaly map over its image, and the line where the score is the limit. */
export function AnomalyLayer({ url, limit, opacity, from, size, view }: AnomalyLayerProps) {
  const map = useQuery(anomalyMapQuery(url)).data;
  const canvas = useRef<HTMLCanvasElement>(null);
  const contour = useMemo(() => (map ? contourOf(map, limit) : ''), [map, limit]);
  useEffect(() => {
    const node = canvas.current;
    if (!node || !map) return;
    const { width, height, data } = colourMap(map, limit);
    node.width = width;
    node.height = height;
    node.getContext('2d')?.putImageData(new ImageData(data, width, height), 0, 0);
  }, [map, limit]);
  if (!map) return null;
  const place = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  const cells = `translate(${view.x} ${view.y}) scale(${(view.scale * size.width) / map.width} ${(view.scale * size.height) / map.height})`;
  const clipPath = from === undefined ? undefined : `inset(0 0 0 ${100 * from}%)`;
  return (
    <div className="pointer-events-none absolute inset-0 overflow-hidden" style={{ clipPath }}>
      <canvas
        ref={canvas}
        data-testid="heatmap"
        className="pointer-events-none absolute top-0 left-0 max-w-none origin-top-left"
        style={{ width: size.width, height: size.height, transform: place, opacity }}
      />
      <svg className="pointer-events-none absolute inset-0 size-full" aria-hidden="true">
        {(['#000', '#fff'] as const).map((stroke) => (
          <path
            key={stroke}
            d={contour}
            transform={cells}
            fill="none"
            stroke={stroke}
            strokeOpacity={stroke === '#000' ? 0.7 : 1}
            strokeWidth={stroke === '#000' ? 4 : 1.5}
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
            data-testid={stroke === '#fff' ? 'contour' : undefined}
          />
        ))}
      </svg>
    </div>
  );
}
