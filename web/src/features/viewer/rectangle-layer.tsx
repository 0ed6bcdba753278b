import { handlePlace, handles, type Point, type Rectangle, type Size, toFrame, type Viewport } from './geometry.ts';

interface ShownRectangle extends Rectangle {
  readonly key: string;
  readonly caption?: string;
  /** Corners [x, y] of what is in the rectangle; absent: not known. */
  readonly outline?: readonly (readonly number[])[];
}

interface RectangleLayerProps {
  view: Viewport;
  /** Rectangles that can be edited. */
  rectangles: readonly ShownRectangle[];
  selected?: string | undefined;
  /** Rectangles of a model, drawn with dashes. */
  readOnly?: readonly ShownRectangle[];
  /** Darkens the area outside of the rectangles instead of colouring the inside. */
  dimOutside?: boolean;
  /** A mark in the middle moves the selected rectangle, so that a drag elsewhere can draw. */
  movesByMiddle?: boolean;
}

/** Outlines over the image. Their `data-region` and `data-handle` tell a pointer listener what was pressed. */
export function RectangleLayer(props: RectangleLayerProps) {
  const { view, rectangles, selected, readOnly = [], dimOutside = false, movesByMiddle = false } = props;
  const place = ({ x_min, y_min, x_max, y_max }: Rectangle): Placed => ({
    ...toFrame(view, { x: x_min, y: y_min }),
    width: (x_max - x_min) * view.scale,
    height: (y_max - y_min) * view.scale,
  });
  const chosen = rectangles.find((rectangle) => rectangle.key === selected);
  return (
    <svg className="absolute inset-0 size-full" aria-hidden="true">
      {readOnly.map((rectangle) => (
        <g key={rectangle.key} pointerEvents="none" fill="none" data-testid="model-region">
          <rect {...place(rectangle)} stroke="#000" strokeOpacity="0.6" strokeWidth="3" />
          <rect {...place(rectangle)} stroke="#ffd54a" strokeWidth="1.5" strokeDasharray="6 4" />
          {rectangle.outline && <Outline view={view} corners={rectangle.outline} />}
          <Caption at={place(rectangle)} text={rectangle.caption} />
        </g>
      ))}
      {dimOutside && (
        <path
          d={`M-9999-9999h30000v30000h-30000z${rectangles.map(place).map(toPath).join('')}`}
          fillRule="evenodd"
          fillOpacity="0.6"
          className="pointer-events-none"
        />
      )}
      {rectangles.map((rectangle) => {
        const at = place(rectangle);
        return (
          <g key={rectangle.key} data-region={rectangle.key} className={movesByMiddle ? '' : 'cursor-move'}>
            <rect {...at} fill="#ff5c4d" fillOpacity={dimOutside ? 0 : rectangle.key === selected ? 0.18 : 0.06} />
            <rect {...at} fill="none" stroke="#000" strokeOpacity="0.55" strokeWidth="4" />
            <rect {...at} fill="none" stroke={rectangle.key === selected ? '#fff' : '#ff6f61'} strokeWidth="2" />
            <Caption at={at} text={rectangle.caption} />
          </g>
        );
      })}
      {chosen && <Handles at={place(chosen)} />}
      {chosen && movesByMiddle && <MoveMark at={place(chosen)} />}
    </svg>
  );
}

function MoveMark({ at }: { at: Placed }) {
  const x = at.x + at.width / 2;
  const y = at.y + at.height / 2;
  return (
    <g data-move className="cursor-move">
      <circle cx={x} cy={y} r="17" fill="#000" fillOpacity="0.45" stroke="#fff" />
      <path
        d={`M${x} ${y - 11}v22M${x - 11} ${y}h22M${x - 3} ${y - 8}l3-3 3 3M${x - 3} ${y + 8}l3 3 3-3M${x - 8} ${y - 3}l-3 3 3 3M${x + 8} ${y - 3}l3 3-3 3`}
        fill="none"
        stroke="#fff"
        strokeWidth="1.6"
      />
    </g>
  );
}

const captionRoom = 18;

/** Above the rectangle, or inside of it where the frame ends. */
function Caption({ at, text }: { at: Placed; text: string | undefined }) {
  if (!text) return null;
  return (
    <text
      x={Math.max(4, at.x)}
      y={at.y < captionRoom ? Math.max(0, at.y) + captionRoom - 4 : at.y - 5}
      className="pointer-events-none fill-white stroke-black stroke-3 text-xs font-semibold [paint-order:stroke]"
    >
      {text}
    </text>
  );
}

function Outline({ view, corners }: { view: Viewport; corners: readonly (readonly number[])[] }) {
  const points = corners
    .map(([x = 0, y = 0]) => toFrame(view, { x, y }))
    .map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`)
    .join(' ');
  return (
    <g strokeLinejoin="round" data-testid="model-outline">
      <polygon points={points} stroke="#000" strokeOpacity="0.6" strokeWidth="3.5" />
      <polygon points={points} stroke="#ffd54a" strokeWidth="1.5" />
    </g>
  );
}

/** In pixels of the frame. */
type Placed = Point & Size;

const toPath = ({ x, y, width, height }: Placed): string => `M${x} ${y}h${width}v${height}h${-width}z`;

function Handles({ at }: { at: Placed }) {
  return handles.map((handle) => {
    const share = handlePlace(handle);
    const x = at.x + at.width * share.x;
    const y = at.y + at.height * share.y;
    return (
      <g key={handle} data-handle={handle} style={{ cursor: `${handle}-resize` }}>
        {/* A larger, invisible target for fingers. */}
        <circle cx={x} cy={y} r="14" fill="transparent" />
        <rect x={x - 5} y={y - 5} width="10" height="10" fill="#fff" stroke="#000" strokeOpacity="0.7" />
      </g>
    );
  });
}
