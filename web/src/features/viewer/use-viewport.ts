import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { fitViewport, type Point, type Size, type Viewport, zoomAt } from './geometry.ts';

export interface ViewportControl {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly view: Viewport;
  setView(change: (view: Viewport) => Viewport): void;
  /** Zooms around the middle. */
  zoom(factor: number): void;
  showWhole(): void;
  /** From the window's coordinates to those of the frame. */
  pointIn(event: { clientX: number; clientY: number }): Point;
  zoomAround(factor: number, point: Point): void;
}

/** Zoom and position of an image in a frame. The image fits the frame until the user zooms; the next image fits again. */
export function useViewport(image: Size, imageKey: string): ViewportControl {
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<Viewport>({ scale: 1, x: 0, y: 0 });
  const touched = useRef(false);
  const { width, height } = image;

  const measure = useCallback((): Size => {
    const node = frame.current;
    return { width: node?.clientWidth ?? 0, height: node?.clientHeight ?? 0 };
  }, []);
  const showWhole = useCallback(() => {
    touched.current = false;
    setView(fitViewport({ width, height }, measure()));
  }, [width, height, measure]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another image of the same size is fitted again too
  useEffect(() => {
    showWhole();
    const observer = new ResizeObserver(() => {
      if (!touched.current) showWhole();
    });
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, [showWhole, imageKey]);

  const change = useCallback((apply: (view: Viewport) => Viewport) => {
    touched.current = true;
    setView(apply);
  }, []);
  const zoomAround = useCallback(
    (factor: number, point: Point) => {
      const smallest = fitViewport({ width, height }, measure()).scale;
      change((before) => zoomAt(before, factor, point, smallest));
    },
    [change, width, height, measure],
  );
  useWheelZoom(frame, zoomAround);

  return {
    frame,
    view,
    setView: change,
    showWhole,
    zoomAround,
    zoom: (factor) => {
      const size = measure();
      zoomAround(factor, { x: size.width / 2, y: size.height / 2 });
    },
    pointIn: (event) => {
      const box = frame.current?.getBoundingClientRect();
      return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
    },
  };
}

/** React's wheel listeners are passive and cannot stop the page from scrolling. */
function useWheelZoom(frame: RefObject<HTMLDivElement | null>, zoomAround: ViewportControl['zoomAround']): void {
  useEffect(() => {
    const node = frame.current;
    if (!node) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = node.getBoundingClientRect();
      const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018));
      zoomAround(factor, { x: event.clientX - box.left, y: event.clientY - box.top });
    };
    node.addEventListener('wheel', onWheel, { passive: false });
    return () => node.removeEventListener('wheel', onWheel);
  }, [frame, zoomAround]);
}
