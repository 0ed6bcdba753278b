import {
  type ComponentProps,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useEffect,
  useRef,
  useState,
} from 'react';
import {
  clampViewport,
  fitViewport,
  type Point,
  partViewport,
  type Rectangle,
  type Size,
  type Viewport,
  zoomAt,
} from './geometry.ts';

export type ViewportControl = ReturnType<typeof useViewport>;

type ViewState = readonly [Viewport, Dispatch<SetStateAction<Viewport>>];

/**
 * Zoom and position of an image in a frame. The image fits the frame until the user zooms; the next image fits again.
 * @param shared of frames of one size that show the same part
 */
export function useViewport(image: Size, imageKey: string, shared?: ViewState) {
  const frame = useRef<HTMLDivElement>(null);
  const own = useState<Viewport>({ scale: 1, x: 0, y: 0 });
  const [view, setView] = shared ?? own;
  const touched = useRef(false);

  const frameSize = (): Size => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = frame.current ?? {};
    return { width, height };
  };
  const fitted = (): Viewport => fitViewport(image, frameSize());
  const showWhole = () => {
    touched.current = false;
    setView(fitted());
  };
  const showPart = (part: Rectangle) => change(() => partViewport(part, image, frameSize()));
  const change = (apply: (view: Viewport) => Viewport) => {
    touched.current = true;
    setView((before) => clampViewport(apply(before), image, frameSize()));
  };
  /** From the window's coordinates to those of the frame. */
  const pointIn = (event: { clientX: number; clientY: number }): Point => {
    const { left = 0, top = 0 } = frame.current?.getBoundingClientRect() ?? {};
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const zoomAround = (factor: number, point: Point) => {
    const smallest = fitted().scale;
    change((before) => zoomAt(before, factor, point, smallest));
  };
  /** Zooms around the middle. */
  const zoom = (factor: number) => {
    const { width, height } = frameSize();
    zoomAround(factor, { x: width / 2, y: height / 2 });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions depend on the image alone
  useEffect(() => {
    const node = frame.current;
    if (!node) return;
    showWhole();
    const observer = new ResizeObserver(() => {
      if (!touched.current) showWhole();
    });
    observer.observe(node);
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      zoomAround(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018)), pointIn(event));
    };
    // React's wheel listeners are passive and cannot stop the page from scrolling.
    node.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      observer.disconnect();
      node.removeEventListener('wheel', onWheel);
    };
  }, [image.width, image.height, imageKey]);

  /** Nothing lies outside of the frame. */
  const isWhole = view.scale <= fitted().scale * 1.01;
  return { frame, view, isWhole, setView: change, showWhole, showPart, zoom, zoomAround, pointIn };
}

interface ImageFrameProps extends ComponentProps<'div'> {
  control: ViewportControl;
  /** Absent: the frame has no image of its own. */
  size?: Size;
  /** Undefined while it loads. */
  src?: string | undefined;
  alt?: string;
  /** A second image over the first, with the same size. */
  overlay?: { src: string; opacity: number } | undefined;
  fallbackSrc?: string | undefined;
  children?: ReactNode;
}

/** An image that can be zoomed and moved. Children are drawn over it, in the coordinates of the frame. */
export function ImageFrame(props: ImageFrameProps) {
  const { control, size, src, alt = '', overlay, fallbackSrc, children, className = '', ...rest } = props;
  const { view, frame } = control;
  return (
    <div ref={frame} className={`relative touch-none overflow-hidden bg-[#0b1013] select-none ${className}`} {...rest}>
      {size && <PlacedImage view={view} size={size} src={src} alt={alt} fallbackSrc={fallbackSrc} />}
      {size && overlay && (
        <PlacedImage
          view={view}
          size={size}
          src={overlay.src}
          alt=""
          data-testid="heatmap"
          style={{ opacity: overlay.opacity, imageRendering: 'auto' }}
        />
      )}
      {children}
    </div>
  );
}

interface PlacedImageProps extends Omit<ComponentProps<'img'>, 'src' | 'alt'> {
  view: Viewport;
  size: Size;
  src: string | undefined;
  alt: string;
  fallbackSrc?: string | undefined;
  /** a, b, c, d, e, f: x = a·X + b·Y + c, y = d·X + e·Y + f, from the image's pixels to those of the view. */
  transform?: readonly number[];
}

/** An image in the place where the viewport has it. */
export function PlacedImage({ view, size, alt, fallbackSrc, transform, style, ...rest }: PlacedImageProps) {
  const [a, b, c, d, e, f] = transform ?? [];
  const matrix = transform ? ` matrix(${a}, ${d}, ${b}, ${e}, ${c}, ${f})` : '';
  return (
    <img
      alt={alt}
      draggable={false}
      className="pointer-events-none absolute top-0 left-0 max-w-none origin-top-left text-white select-none"
      style={{
        width: size.width,
        height: size.height,
        transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})${matrix}`,
        imageRendering: view.scale > 3 ? 'pixelated' : 'auto',
        ...style,
      }}
      onError={(event) => {
        // Some formats that the service inspects are unknown to browsers.
        if (fallbackSrc && event.currentTarget.getAttribute('src') !== fallbackSrc) {
          event.currentTarget.src = fallbackSrc;
        }
      }}
      {...rest}
    />
  );
}
