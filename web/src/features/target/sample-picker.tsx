import type { Item } from '../../../../src/client/shapes.ts';
import { Card } from '../../components/card.tsx';
import { classNames } from '../../components/class-names.ts';
import { Thumbnail } from '../../components/thumbnail.tsx';
import { useText } from '../../i18n/use-text.ts';

interface SamplePickerProps {
  samples: readonly Item[];
  current: Item;
  onChoose: (itemId: string) => void;
}

export function SamplePicker({ samples, current, onChoose }: SamplePickerProps) {
  const t = useText();
  return (
    <Card title={t('previewItems')}>
      <ul className="flex gap-2 overflow-x-auto p-1">
        {samples.map((item) => (
          <li key={item.item_id} className="shrink-0">
            <button
              type="button"
              aria-pressed={item.item_id === current.item_id}
              onClick={() => onChoose(item.item_id)}
              className={classNames(
                'block size-18 overflow-hidden rounded-md border-2',
                item.item_id === current.item_id ? 'border-accent' : 'border-line',
              )}
            >
              <Thumbnail item={item} />
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
