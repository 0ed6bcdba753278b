import type { Item, Label, ModelAssessment } from '../../../../src/client/shapes.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/use-text.ts';
import { ModelVerdicts } from './model-verdicts.tsx';
import { RegionList } from './region-list.tsx';
import type { Regions } from './use-regions.ts';

interface ItemPanelProps {
  item: Item;
  regions: Regions;
  labels: readonly Label[];
  assessment: ModelAssessment | undefined;
  onModel: (modelId: string) => void;
  onAdopt: () => void;
}

export function ItemPanel({ item, regions, labels, assessment, onModel, onAdopt }: ItemPanelProps) {
  const t = useText();
  const found = assessment?.annotations?.length ?? 0;
  return (
    <aside className="flex w-full shrink-0 flex-col gap-5 border-line bg-surface p-4 max-lg:border-t max-lg:pb-24 lg:w-80 lg:overflow-y-auto lg:border-l">
      <section>
        <h2 className="mb-2 font-semibold">{t('modelVerdicts')}</h2>
        <ModelVerdicts item={item} shown={assessment} onModel={onModel} />
      </section>
      <section>
        <h2 className="mb-2 font-semibold">{t('regions')}</h2>
        <RegionList item={item} regions={regions} labels={labels} />
        {found > 0 && (
          <Button size="small" onClick={onAdopt} className="mt-2">
            {t('adoptRegions')}
          </Button>
        )}
      </section>
      <ItemDetails item={item} />
    </aside>
  );
}

function ItemDetails({ item }: { item: Item }) {
  const t = useText();
  const language = useLanguage();
  const image = item.images[0];
  return (
    <section>
      <h2 className="mb-2 font-semibold">{t('details')}</h2>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-[13px]">
        <dt className="text-ink-soft">{t('usedFor')}</dt>
        <dd>
          <Badge>{t(item.is_training_data ? 'training' : 'inspection')}</Badge>
        </dd>
        {item.created_at && (
          <>
            <dt className="text-ink-soft">{t('uploadedAt')}</dt>
            <dd>{new Date(item.created_at).toLocaleString(language)}</dd>
          </>
        )}
        {image && (
          <>
            <dt className="text-ink-soft">{t('imageSize')}</dt>
            <dd>
              {image.width} × {image.height} · {Math.max(1, Math.round(image.file_size / 1024)).toLocaleString('en-US')}{' '}
              kB
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
