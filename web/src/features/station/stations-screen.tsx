import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Station } from '../../../../src/client/shapes.ts';
import { stationsQuery } from '../../api/queries.ts';
import { Badge, VerdictBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { itemPath, shownAssessment, Thumbnail } from '../../components/item-tile.tsx';
import { Card, EmptyNote, Facts, Loaded, Page, PageHeader } from '../../components/page.tsx';
import { clockText, t } from '../../i18n/text.ts';
import { useModels } from '../model/use-models.ts';
import { StationDialog } from './station-dialog.tsx';
import { outputTexts, sourceTexts, stateOf } from './station-texts.ts';

/** All stations with their live state. */
export function StationsScreen() {
  const stations = useQuery(stationsQuery());
  const [adding, setAdding] = useState(false);
  const add = (
    <Button look="primary" icon="plus" label={t('newStation')} needs="engineer" onClick={() => setAdding(true)} />
  );
  return (
    <Page>
      <PageHeader title={t('stationsTitle')}>{add}</PageHeader>
      <Loaded query={stations}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyNote title={t('noStations')}>
              <p className="max-w-prose text-ink-soft">{t('noStationsHint')}</p>
            </EmptyNote>
          ) : (
            <div className="grid items-start gap-4 lg:grid-cols-2">
              {rows.map((station) => (
                <StationCard key={station.station_id} station={station} />
              ))}
            </div>
          )
        }
      </Loaded>
      {adding && <StationDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function StationCard({ station }: { station: Station }) {
  const { models, labelOf } = useModels();
  const model = models.find(({ model_id: id }) => id === station.model_id);
  const { state, outputs, source } = station;
  const { tone, text } = stateOf(station);
  const sent = outputs.map(({ kind }) => t(outputTexts[kind])).join(', ');
  return (
    <Card
      title={
        <Link className="link" to={`/stations/${station.station_id}`}>
          {station.name}
        </Link>
      }
      aside={<Badge tone={tone}>{text}</Badge>}
    >
      {station.enabled && state.fault && (
        <Link
          to={`/stations/${station.station_id}`}
          className="mb-3 block rounded-md bg-warn-soft px-3 py-2 text-warn underline first-letter:uppercase"
        >
          {state.fault.status_text}
        </Link>
      )}
      <div className="grid grid-cols-[1fr_8rem] gap-4">
        <Facts
          className="grid-cols-[auto_1fr] content-start gap-x-4"
          facts={[
            [t('source'), t(sourceTexts[source.kind])],
            [t('model'), model ? labelOf(model) : '–'],
            [t('queueTitle'), t('waitingItems', { n: state.waiting + (state.source?.waiting ?? 0) })],
            [t('outputs'), sent || '–'],
          ]}
        />
        <LastItem station={station} />
      </div>
    </Card>
  );
}

function LastItem({ station: { state, model_id } }: { station: Station }) {
  const item = state.last_item;
  if (!item)
    return <p className="text-balance text-[13px] text-ink-soft [word-break:auto-phrase]">{t('noVerdictYet')}</p>;
  const verdict = item.status === 'done' ? shownAssessment(item, model_id ?? undefined) : undefined;
  return (
    <Link to={itemPath(item.item_id)} className="flex flex-col gap-1">
      <Thumbnail item={item} className="aspect-[4/3] rounded-md" />
      <span className="flex flex-wrap items-center justify-between gap-1 text-xs text-ink-soft">
        {verdict ? <VerdictBadge verdict={verdict.result} by="model" /> : <Badge tone="warn">{t('noVerdict')}</Badge>}
        <time dateTime={verdict?.predicted_at ?? item.created_at}>
          {clockText(verdict?.predicted_at ?? item.created_at ?? '')}
        </time>
      </span>
    </Link>
  );
}
