import type { ComponentProps, ReactNode } from 'react';
import type { Size } from './geometry.ts';
import type { ViewportControl } from './use-viewport.ts';

interface ImageFrameProps extends ComponentProps<'div'> {
  control: ViewportControl;
  size: Size;
  /** Undefined while it loads. */
  src: string | undefined;
  alt: string;
  /** A second image over the first, with the same size. */
  overlay?: { src: string; opacity: number } | undefined;
  fallbackSrc?: string | undefined;
  children?: ReactNode;
}

/** An image that can be zoomed and moved. Children are drawn over it, in the coordinates of the frame. */
export function ImageFrame(props: ImageFrameProps) {
  const { control, size, src, alt, overlay, fallbackSrc, children, className = '', ...rest } = props;
  const { view, frame } = control;
  const placed = {
    width: size.width,
    height: size.height,
    transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
    imageRendering: view.scale > 3 ? ('pixelated' as const) : ('auto' as const),
  };
  const imageClass = 'pointer-events-none absolute top-0 left-0 max-w-none origin-top-left text-white select-none';
  return (
    <div ref={frame} className={`relative touch-none overflow-hidden bg-[#0b1013] select-none ${className}`} {...rest}>
      <img
        src={src}
        alt={alt}
        draggable={false}
        className={imageClass}
        style={placed}
        onError={(event) => {
          // Some formats that the service inspects are unknown to browsers.
          if (fallbackSrc && event.currentTarget.getAttribute('src') !== fallbackSrc) {
            event.currentTarget.src = fallbackSrc;
          }
        }}
      />
      {overlay && (
        <img
          src={overlay.src}
          alt=""
          draggable={false}
          data-testid="heatmap"
          className={imageClass}
          style={{ ...placed, opacity: overlay.opacity, imageRendering: 'auto' }}
        />
      )}
      {children}
    </div>
  );
}
