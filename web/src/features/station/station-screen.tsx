import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { Item, ModelAssessment, Station } from '../../../../src/client/shapes.ts';
import { api, localUrl, ofStation } from '../../api/kensa.ts';
import { queryClient, refreshAll, stationQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { ActionButton, Button, LinkButton } from '../../components/button.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { Form, SelectField } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { itemPath, shownAssessment } from '../../components/item-tile.tsx';
import { Card, EmptyNote, Facts, Loaded, Page, PageHeader } from '../../components/page.tsx';
import { scoreText } from '../../components/score-text.ts';
import { t, timeText } from '../../i18n/text.ts';
import { useModels } from '../model/use-models.ts';
import { FtpLoginDialog } from './ftp-login.tsx';
import { LivePreview } from './live-preview.tsx';
import { StationDialog } from './station-dialog.tsx';
import { outputTexts, sourceTexts, stateOf } from './station-texts.ts';

/** One station: its last image and verdict, large enough to be read from three metres. */
export function StationScreen() {
  const { stationId = '' } = useParams();
  const station = useQuery(stationQuery(stationId));
  const gone = (
    <EmptyNote title={t('stationGone')}>
      <LinkButton to="/stations" label={t('stationsTitle')} />
    </EmptyNote>
  );
  return (
    <Page className="max-w-none">
      <Loaded query={station} gone={gone}>
        {(data) => <StationView station={data} />}
      </Loaded>
    </Page>
  );
}

function StationView({ station }: { station: Station }) {
  const [open, setOpen] = useState<'edit' | 'model' | 'remove' | 'login'>();
  const navigate = useNavigate();
  const { models, labelOf } = useModels();
  const { station_id: id, name, state, source, outputs } = station;
  const { tone, text } = stateOf(station);
  const model = models.find(({ model_id }) => model_id === station.model_id);
  const close = () => setOpen(undefined);
  const remove = async () => {
    await dataOf(api.DELETE('/api/v1/stations/{station_id}', ofStation(id)));
    navigate('/stations');
    queryClient.removeQueries({ queryKey: ['station', id] });
    await refreshAll();
  };
  return (
    <>
      <PageHeader title={name} mark={<Badge tone={tone}>{text}</Badge>}>
        <Button label={t('changeModel')} size="small" needs="engineer" onClick={() => setOpen('model')} />
        <Button label={t('edit')} size="small" needs="engineer" onClick={() => setOpen('edit')} />
        {source.kind === 'ftp' && (
          <Button label={t('newFtpPassword')} size="small" needs="engineer" onClick={() => setOpen('login')} />
        )}
        <Button
          label={t('remove')}
          icon="trash"
          size="small"
          look="danger"
          needs="engineer"
          compact
          onClick={() => setOpen('remove')}
        />
      </PageHeader>
      {station.enabled && state.fault && (
        <p role="alert" className="flex items-center gap-2 rounded-md bg-warn-soft px-4 py-3 text-lg text-warn">
          <Icon name="warning" size={24} />
          <span className="block first-letter:uppercase">{state.fault.status_text}</span>
        </p>
      )}
      <LastInspection station={station} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title={t('settings')}>
          <Facts
            className="grid-cols-[auto_1fr] gap-x-6"
            facts={[
              [t('model'), model ? labelOf(model) : '–'],
              [t('source'), [t(sourceTexts[source.kind]), source.path ?? source.url].filter(Boolean).join(': ')],
              [t('queueTitle'), t('waitingItems', { n: state.waiting + (state.source?.waiting ?? 0) })],
              [t('outputs'), outputs.map((output) => outputText(output)).join(', ') || '–'],
              [t('namePattern'), station.name_pattern ?? '–'],
            ]}
          />
          <Unreadable station={station} />
        </Card>
        {source.kind === 'camera' && station.enabled && <LivePreview stationId={id} />}
      </div>
      {open === 'edit' && <StationDialog station={station} onClose={close} />}
      {open === 'model' && <ModelDialog station={station} onClose={close} />}
      {open === 'login' && <FtpLoginDialog stationId={id} onClose={close} />}
      {open === 'remove' && (
        <ConfirmDialog title={t('removeStation', { name })} action={remove} onClose={close}>
          <p>{t('removeStationHint')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function outputText({ kind, unit, url }: Station['outputs'][number]): string {
  return [t(outputTexts[kind]), unit ?? url].filter((part) => part !== undefined).join(' ');
}

/** Files that are kept and cannot be read. */
function Unreadable({ station: { state } }: { station: Station }) {
  const files = state.source?.unreadable ?? [];
  if (files.length === 0) return null;
  return (
    <section className="mt-4">
      <h3 className="font-medium">{t('unreadableFiles')}</h3>
      <ul className="mt-1 list-disc pl-5">
        {files.map(({ name, status_text: text }) => (
          <li key={name} className="break-words">
            {name}: {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

function LastInspection({ station }: { station: Station }) {
  const { state, model_id } = station;
  const item = state.last_item;
  if (!item) return <EmptyNote title={t('noVerdictYet')} />;
  const verdict = item.status === 'done' ? shownAssessment(item, model_id ?? undefined) : undefined;
  const [image] = item.images;
  return (
    <section
      aria-label={t('lastInspection')}
      className="grid overflow-hidden rounded-xl border border-line bg-surface lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
    >
      <Link to={itemPath(item.item_id)} className="block bg-[#0b1013]">
        {image?.url ? (
          <img
            src={localUrl(image.url)}
            alt={item.name}
            className="h-[34vh] w-full object-contain lg:h-[calc(100vh-22rem)] lg:min-h-72"
          />
        ) : (
          <span className="block p-10 text-center text-white">{t('noImage')}</span>
        )}
      </Link>
      <VerdictPanel item={item} verdict={verdict} isCurrent={state.fault === null && station.enabled} />
    </section>
  );
}

/** A check or a cross beside the colour. While something is wrong, the last verdict is shown without its colour. */
function VerdictPanel(props: { item: Item; verdict: ModelAssessment | undefined; isCurrent: boolean }) {
  const { item, verdict, isCurrent } = props;
  const isOk = verdict?.result === 'OK';
  const colour = isOk ? 'bg-ok text-surface' : 'bg-ng text-surface';
  const ground = verdict ? (isCurrent ? colour : 'bg-sunken text-ink') : 'bg-warn text-surface';
  return (
    <div className={`@container flex min-w-0 flex-col items-center justify-center gap-3 p-5 ${ground}`} role="status">
      <span className="flex items-center gap-[0.15em] text-[clamp(4rem,26cqw,13rem)] leading-none font-bold">
        <svg
          viewBox="0 0 24 24"
          className="size-[0.9em]"
          fill="none"
          stroke="currentColor"
          strokeWidth="3.2"
          aria-hidden="true"
        >
          <path
            strokeLinecap="round"
            strokeLinejoin="round"
            d={verdict ? (isOk ? 'M4 13l5.5 5.5L20 6.5' : 'M5 5l14 14M19 5L5 19') : 'M12 4v10M12 19.5h.01'}
          />
        </svg>
        <span>{verdict?.result ?? '?'}</span>
      </span>
      {verdict ? (
        <span className="text-[clamp(1.75rem,10cqw,3.5rem)] leading-tight font-semibold tabular-nums">
          {scoreText(Number(verdict.anomaly_score), verdict.threshold ?? undefined)}
        </span>
      ) : (
        <span className="text-center text-xl">{item.status_text ?? t('noVerdict')}</span>
      )}
      <span className="max-w-full text-center text-[clamp(1.5rem,8cqw,2.75rem)] leading-tight font-medium break-words">
        {item.serial ?? item.name}
      </span>
      <span className="max-w-full text-center text-base break-words">
        {[item.lot, ...Object.values(item.fields ?? {}), timeText(verdict?.predicted_at ?? item.created_at ?? '')]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </div>
  );
}

/** The change-over: the new model is open before the first image goes to it. */
function ModelDialog({ station, onClose }: { station: Station; onClose: () => void }) {
  const { ready, labelOf } = useModels();
  const [modelId, setModelId] = useState(station.model_id ?? '');
  const save = async () => {
    const body = { model_id: modelId || null };
    await dataOf(api.PUT('/api/v1/stations/{station_id}/model', { ...ofStation(station.station_id), body }));
    onClose();
    await refreshAll();
  };
  return (
    <Dialog
      title={t('changeModel')}
      onClose={onClose}
      footer={<ActionButton label={t('changeOver')} look="primary" action={save} />}
    >
      <Form className="flex flex-col gap-3" onSubmit={() => undefined}>
        <p className="text-ink-soft">{t('changeOverHint')}</p>
        <SelectField
          label={t('model')}
          value={modelId}
          onChange={setModelId}
          options={[['', t('noModel')], ...ready.map((model) => [model.model_id, labelOf(model)] as const)]}
        />
      </Form>
    </Dialog>
  );
}
