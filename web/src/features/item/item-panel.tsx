import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { predictItems } from '../../../../src/client/predict-items.ts';
import type { Item, Model, ModelAssessment } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';
import { itemQuery, modelsQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { Badge, VerdictBadge } from '../../components/badge.tsx';
import { ActionButton, Button } from '../../components/button.tsx';
import { Facts } from '../../components/card.tsx';
import { classNames } from '../../components/class-names.ts';
import { Icon } from '../../components/icon.tsx';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/use-text.ts';
import { modelLabel } from '../model/model-label.ts';
import { RefineButton } from '../model/refine-button.tsx';
import { RegionList } from './region-list.tsx';
import type { ItemView } from './use-item-keys.ts';
import { fromAnnotations } from './use-regions.ts';

export function ItemPanel({ view }: { view: ItemView }) {
  const t = useText();
  const { item, assessment, regions } = view;
  const found = assessment?.annotations ?? [];
  const adopt = () =>
    regions.addAll(
      fromAnnotations(
        found.map((annotation) => ({ ...annotation, notes: null })),
        item,
      ),
    );
  return (
    <aside className="flex w-full shrink-0 flex-col gap-5 border-line bg-surface p-4 max-lg:border-t max-lg:pb-24 lg:w-80 lg:overflow-y-auto lg:border-l">
      <section>
        <h2 className="mb-2 font-semibold">{t('modelVerdicts')}</h2>
        <ModelVerdicts item={item} shown={assessment} onModel={view.setModelId} />
      </section>
      <section>
        <h2 className="mb-2 font-semibold">{t('regions')}</h2>
        <RegionList item={item} regions={regions} />
        {found.length > 0 && (
          <Button size="small" onClick={adopt} className="mt-2">
            {t('adoptRegions')}
          </Button>
        )}
      </section>
      <ItemDetails item={item} />
    </aside>
  );
}

interface ModelVerdictsProps {
  item: Item;
  shown: ModelAssessment | undefined;
  onModel: (modelId: string) => void;
}

/** The verdict of each model, and whether the person agrees. The chosen model gives the heatmap and the regions. */
function ModelVerdicts({ item, shown, onModel }: ModelVerdictsProps) {
  const t = useText();
  const models = useQuery(modelsQuery()).data ?? [];
  const busy = item.status === 'queued' || item.status === 'processing';
  const inspect = async (model: Model) => {
    await predictItems(api, model.model_id, [item.item_id]);
    await queryClient.invalidateQueries({ queryKey: itemQuery(item.item_id).queryKey });
  };
  const ready = models.filter((model) => model.status === 'ready');
  const active = ready.find((model) => model.active) ?? ready[0];
  const isActive = (assessment: ModelAssessment): number => Number(assessment.model_id === active?.model_id);
  const assessments = [...(item.assessments ?? [])].sort((one, other) => isActive(other) - isActive(one));
  const nameOf = (modelId: string): string => {
    const model = models.find((one) => one.model_id === modelId);
    return model ? modelLabel(model, models) : modelId;
  };
  const done = assessments.some((assessment) => assessment.model_id === active?.model_id);
  return (
    <div className="flex flex-col gap-2">
      {assessments.length === 0 && !busy && <p className="text-ink-soft">{t('noAssessment')}</p>}
      {assessments.map((assessment) => (
        <AssessmentCard
          key={assessment.model_id}
          assessment={assessment}
          name={nameOf(assessment.model_id)}
          person={item.user_assessment?.result}
          selected={assessment.model_id === shown?.model_id}
          onSelect={() => onModel(assessment.model_id)}
        />
      ))}
      {shown && item.user_assessment && item.user_assessment.result !== shown.result && (
        <RefineButton model={models.find((model) => model.model_id === shown.model_id)} itemIds={[item.item_id]} />
      )}
      {busy && (
        <p role="status" className="text-accent">
          {t(item.status === 'queued' ? 'statusQueued' : 'statusProcessing')} …
        </p>
      )}
      {item.status === 'done' && item.status_text && (
        <p className="flex items-start gap-1.5 text-[13px] text-warn">
          <Icon name="warning" size={18} />
          <span className="min-w-0 break-words whitespace-pre-line">{item.status_text}</span>
        </p>
      )}
      {item.status === 'failed' && (
        <p role="alert" className="text-ng">
          {t('inspectionFailed', { reason: item.status_text ?? '' })}
        </p>
      )}
      {active ? (
        <ActionButton size="small" disabled={busy} action={() => inspect(active)}>
          {done ? t('inspectAgain') : t('inspectNow', { name: modelLabel(active, models) })}
        </ActionButton>
      ) : (
        <p className="text-[13px] text-ink-soft">{t('noReadyModel')}</p>
      )}
    </div>
  );
}

interface AssessmentCardProps {
  assessment: ModelAssessment;
  name: string;
  person: string | undefined;
  selected: boolean;
  onSelect: () => void;
}

function AssessmentCard({ assessment, name, person, selected, onSelect }: AssessmentCardProps) {
  const t = useText();
  return (
    <button
      type="button"
      aria-pressed={selected}
      onClick={onSelect}
      className={classNames(
        'rounded-lg border p-2.5 text-left',
        selected ? 'border-accent bg-accent-soft' : 'border-line hover:bg-sunken',
      )}
    >
      <span className="flex items-center justify-between gap-2">
        <span className="min-w-0 font-medium break-words">{name}</span>
        <VerdictBadge verdict={assessment.result} />
      </span>
      <span className="mt-1 flex flex-wrap gap-x-4 text-[13px] text-ink-soft tabular-nums">
        <span>
          {t('score')} <b className="text-ink">{Number(assessment.anomaly_score).toFixed(3)}</b>
        </span>
        <span>
          {t('threshold')} {assessment.threshold?.toFixed(3)}
        </span>
        <span>
          {t('sureness')} {assessment.detection_accuracy ?? 0} %
        </span>
        <span>{t('regionsFound', { n: assessment.detected_objects ?? 0 })}</span>
      </span>
      {person !== undefined && (
        <span className={classNames('text-[13px] font-medium', person === assessment.result ? 'text-ok' : 'text-warn')}>
          {t(person === assessment.result ? 'agrees' : 'disagrees')}
        </span>
      )}
    </button>
  );
}

function ItemDetails({ item }: { item: Item }) {
  const t = useText();
  const language = useLanguage();
  const image = item.images[0];
  const kilobytes = Math.max(1, Math.round((image?.file_size ?? 0) / 1024)).toLocaleString('en-US');
  const facts: [string, ReactNode][] = [
    [t('usedFor'), <Badge key="use">{t(item.is_training_data ? 'training' : 'inspection')}</Badge>],
  ];
  if (item.created_at) facts.push([t('uploadedAt'), new Date(item.created_at).toLocaleString(language)]);
  if (image) facts.push([t('imageSize'), `${image.width} × ${image.height} · ${kilobytes} kB`]);
  return (
    <section>
      <h2 className="mb-2 font-semibold">{t('details')}</h2>
      <Facts facts={facts} className="grid-cols-[auto_1fr] gap-x-4 text-[13px]" />
    </section>
  );
}
