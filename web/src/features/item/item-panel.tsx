import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { predictItems } from '../../../../src/client/long-operations.ts';
import type { Item, Model, ModelAssessment } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';
import { isBusy, itemQuery, queryClient, stationNamesQuery } from '../../api/queries.ts';
import { may } from '../../api/session.ts';
import { Badge, VerdictBadge } from '../../components/badge.tsx';
import { ActionButton, Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Facts } from '../../components/page.tsx';
import { scoreDigits } from '../../components/score-text.ts';
import { t, timeText } from '../../i18n/text.ts';
import { RefineButton } from '../model/model-actions.tsx';
import { useModels } from '../model/use-models.ts';
import { HoldDialog } from '../retention/holds-card.tsx';
import { FoundRegions } from './found-regions.tsx';
import { regionsOn } from './item-viewer.tsx';
import { LastVerdicts } from './last-verdicts.tsx';
import { RegionList } from './region-list.tsx';
import { ScoreEvidence } from './score-evidence.tsx';
import type { ItemView } from './use-item-keys.ts';
import { fromAnnotations } from './use-regions.ts';

export function ItemPanel({ view }: { view: ItemView }) {
  const { item, image, assessment, regions } = view;
  const found = assessment?.annotations ?? [];
  const withoutNotes = found.map((annotation) => ({ ...annotation, notes: null }));
  const adopted = fromAnnotations(withoutNotes, item);
  return (
    <aside className="flex min-h-0 flex-1 flex-col gap-5 p-4 max-lg:pb-24 lg:overflow-y-auto">
      <LastVerdicts />
      <Section title={t('modelVerdicts')}>
        <ModelVerdicts view={view} />
      </Section>
      {assessment && image && (
        <Section title={t('foundRegions')}>
          <FoundRegions view={view} regions={regionsOn(image.name, view)} />
        </Section>
      )}
      <Section title={t('regions')}>
        <fieldset disabled={!may('inspector')} className="contents">
          <RegionList item={item} regions={regions} />
        </fieldset>
        {found.length > 0 && (
          <Button
            needs="inspector"
            label={t('adoptRegions')}
            size="small"
            disabled={regions.hasAll(adopted)}
            onClick={() => regions.addAll(adopted)}
            className="self-start"
          />
        )}
      </Section>
      <Section title={t('details')}>
        <ItemDetails item={item} />
        <HoldButton item={item} />
      </Section>
    </aside>
  );
}

function HoldButton({ item }: { item: Item }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        needs="engineer"
        label={t('holdThis')}
        size="small"
        className="self-start"
        onClick={() => setOpen(true)}
      />
      {open && <HoldDialog itemIds={[item.item_id]} onClose={() => setOpen(false)} />}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  );
}

/** The verdict of each model, and whether the person agrees. The chosen model gives the heatmap and the regions. */
function ModelVerdicts({ view: { item, assessment: shown, setModelId } }: { view: ItemView }) {
  const { models, ready, active: activated, labelOf } = useModels(item.target_id);
  const active = activated ?? ready[0];
  const busy = isBusy(item);
  const inspect = async (model: Model) => {
    await predictItems(api, model.model_id, [item.item_id]);
    await queryClient.invalidateQueries({ queryKey: itemQuery(item.item_id).queryKey });
  };
  const modelOf = (assessment: ModelAssessment) => models.find((model) => model.model_id === assessment.model_id);
  const isActive = (assessment: ModelAssessment) => Number(assessment.model_id === active?.model_id);
  const assessments = [...(item.assessments ?? [])].sort((one, other) => isActive(other) - isActive(one));
  return (
    <>
      {assessments.length === 0 && !busy && <p className="text-ink-soft">{t('noAssessment')}</p>}
      {assessments.map((assessment) => {
        const model = modelOf(assessment);
        return (
          <AssessmentCard
            key={assessment.model_id}
            assessment={assessment}
            name={model ? labelOf(model) : assessment.model_id}
            person={item.user_assessment?.result}
            selected={assessment === shown}
            onSelect={() => setModelId(assessment.model_id)}
          />
        );
      })}
      {shown && <ScoreEvidence assessment={shown} itemId={item.item_id} />}
      {shown && item.user_assessment && item.user_assessment.result !== shown.result && (
        <RefineButton model={modelOf(shown)} itemIds={[item.item_id]} />
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
        <ActionButton
          needs="inspector"
          label={assessments.some(isActive) ? t('inspectAgain') : t('inspectNow', { name: labelOf(active) })}
          size="small"
          disabled={busy || item.images_removed_at !== undefined}
          action={() => inspect(active)}
        />
      ) : (
        <p className="text-[13px] text-ink-soft">{t('noReadyModel')}</p>
      )}
    </>
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
  const agrees = person === assessment.result;
  const score = Number(assessment.anomaly_score);
  const digits = scoreDigits(score, assessment.threshold, 3);
  return (
    <button
      type="button"
      aria-pressed={selected}
      onClick={onSelect}
      className={`rounded-lg border p-2.5 text-left ${selected ? 'border-accent bg-accent-soft' : 'border-line hover:bg-sunken'}`}
    >
      <span className="flex items-center justify-between gap-2">
        <span className="min-w-0 font-medium break-words">{name}</span>
        <VerdictBadge verdict={assessment.result} by="model" />
      </span>
      <span className="mt-1 flex flex-wrap gap-x-4 text-[13px] text-ink-soft tabular-nums">
        <span>
          {t('score')} <b className="text-ink">{score.toFixed(digits)}</b>
        </span>
        <span>
          {t('threshold')} {assessment.threshold?.toFixed(digits)}
        </span>
        <span>{t('regionsFound', { n: assessment.detected_objects ?? 0 })}</span>
      </span>
      {person !== undefined && (
        <span className={`text-[13px] font-medium ${agrees ? 'text-ok' : 'text-warn'}`}>
          {t(agrees ? 'agrees' : 'disagrees')}
        </span>
      )}
    </button>
  );
}

function ItemDetails({ item }: { item: Item }) {
  const station = useQuery(stationNamesQuery()).data?.find(({ station_id: id }) => id === item.station_id);
  const image = item.images[0];
  const kilobytes = Math.max(1, Math.round((image?.file_size ?? 0) / 1024)).toLocaleString('en-US');
  const facts: [string, ReactNode][] = [
    [t('usedFor'), <Badge key="use">{t(item.is_training_data ? 'training' : 'inspection')}</Badge>],
  ];
  if (item.created_at) facts.push([t('uploadedAt'), timeText(item.created_at)]);
  if (image) facts.push([t('imageSize'), `${image.width} × ${image.height} · ${kilobytes}\u00a0kB`]);
  if (item.images_removed_at) facts.push([t('imagesRemovedAt'), timeText(item.images_removed_at)]);
  const type = item.is_training_data ? 'training' : 'prediction';
  const linkTo = (filter: string, text: string, value = text) => (
    <Link className="link" to={`/items?type=${type}&${filter}=${encodeURIComponent(value)}`}>
      {text}
    </Link>
  );
  if (station) facts.push([t('station'), linkTo('station_id', station.name, station.station_id)]);
  if (item.serial) facts.push([t('serial'), linkTo('serial', item.serial)]);
  if (item.lot) facts.push([t('lot'), linkTo('lot', item.lot)]);
  for (const [name, value] of Object.entries(item.fields ?? {}))
    facts.push([name, linkTo('field', value, `${name}=${value}`)]);
  return <Facts facts={facts} className="grid-cols-[auto_1fr] gap-x-4 text-[13px]" />;
}
