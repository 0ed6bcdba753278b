import { Button, IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useText } from '../../i18n/use-text.ts';
import type { Size } from '../viewer/viewport.ts';
import { type Polygon, toUnit, type Unit } from './polygons.ts';

interface PolygonListProps {
  unit: Unit;
  /** Size of the image that the polygons lie on. */
  image: Size;
  polygons: readonly Polygon[];
  onChange: (polygons: readonly Polygon[]) => void;
}

const corners: Polygon = [
  [40, 40],
  [60, 40],
  [60, 60],
  [40, 60],
];

/** A fifth of the image, in its middle. */
function inTheMiddle(unit: Unit, image: Size): Polygon {
  return corners.map(([x, y]) => toUnit({ x: (x * image.width) / 100, y: (y * image.height) / 100 }, unit, image));
}

export function PolygonList({ polygons, unit, image, onChange }: PolygonListProps) {
  const t = useText();
  return (
    <div className="col-span-2 flex flex-col gap-1">
      <ul>
        {polygons.map((polygon, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: polygons have no other name than their place
          <li key={index} className="flex items-center justify-between text-[13px]">
            <span>
              {t('polygon', { n: index + 1 })} · {t('corners', { n: polygon.length })}
            </span>
            <IconButton
              label={t('removePolygon', { n: index + 1 })}
              // A mask without polygons is none.
              disabled={polygons.length === 1}
              onClick={() => onChange(polygons.filter((one) => one !== polygon))}
            >
              <Icon name="trash" size={15} />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button size="small" onClick={() => onChange([...polygons, inTheMiddle(unit, image)])}>
        {t('rectanglePolygon')}
      </Button>
    </div>
  );
}
