import { Button, IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useText } from '../../i18n/use-text.ts';
import type { Polygon } from './polygons.ts';

interface PolygonListProps {
  polygons: readonly Polygon[];
  onChange: (polygons: readonly Polygon[]) => void;
}

// In percent; a mask in pixels is a corner of the image until it is moved.
const middle: Polygon = [
  [40, 40],
  [60, 40],
  [60, 60],
  [40, 60],
];

export function PolygonList({ polygons, onChange }: PolygonListProps) {
  const t = useText();
  return (
    <div className="flex flex-col gap-1">
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
      <Button size="small" onClick={() => onChange([...polygons, middle])}>
        {t('rectanglePolygon')}
      </Button>
    </div>
  );
}
