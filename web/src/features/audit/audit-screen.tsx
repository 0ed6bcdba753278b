import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { AuditFilter as Filter, Schemas } from '../../../../src/client/shapes.ts';
import { actsWithReason } from '../../../../src/domains/audit/acts.ts';
import { saveAudit } from '../../api/downloads.ts';
import { api } from '../../api/kensa.ts';
import { reasonsQuery, refreshAll } from '../../api/queries.ts';
import { may } from '../../api/session.ts';
import { ActionButton, Button } from '../../components/button.tsx';
import { Checkbox, SelectField, TextField } from '../../components/field.tsx';
import { Card, DataTable, EmptyNote, Loaded, Page, PageHeader } from '../../components/page.tsx';
import { showError, showToast } from '../../components/toast.tsx';
import { useSettled } from '../../components/use-settled.ts';
import { actText } from '../../i18n/act-text.ts';
import { messages } from '../../i18n/messages.ts';
import { algorithmName, choiceText, fieldName } from '../../i18n/server-texts.ts';
import { t, timeText } from '../../i18n/text.ts';
import { useModels } from '../model/use-models.ts';
import { detailLines } from './audit-details.ts';

type Entry = Schemas['AuditEntry'];

/** Every kind of act that this release knows. */
const acts = Object.keys(messages.en).flatMap((key) => (key.startsWith('act.') ? [key.slice('act.'.length)] : []));

export function AuditScreen() {
  const [typed, setTyped] = useState({ act: '', caller: '', target: '', from: '', until: '' });
  const settled = useSettled(typed, 300);
  const day = (text: string) => (text === '' ? undefined : new Date(`${text}T00:00`).toISOString());
  const next = (text: string) => {
    const start = new Date(`${text}T00:00`);
    start.setDate(start.getDate() + 1);
    return start.toISOString();
  };
  const filter = {
    act: settled.act || undefined,
    caller: settled.caller.trim() || undefined,
    target: settled.target.trim() || undefined,
    from: day(settled.from),
    until: settled.until === '' ? undefined : next(settled.until),
  } as Filter;
  const set = (name: keyof typeof typed) => (event: { target: { value: string } }) =>
    setTyped({ ...typed, [name]: event.target.value });
  return (
    <Page>
      <PageHeader title={t('auditTitle')}>
        <ActionButton label={t('auditVerify')} icon="check" action={verify} />
        <ActionButton label="CSV" icon="download" action={() => saveAudit('csv', filter)} />
        <ActionButton label="JSON" icon="download" action={() => saveAudit('jsonl', filter)} />
      </PageHeader>
      <Card>
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-5">
          <SelectField
            label={t('auditAct')}
            value={typed.act}
            options={[['', t('auditAll')], ...acts.map((act) => [act, actText(act)] as const)]}
            onChange={(act) => setTyped({ ...typed, act })}
          />
          <TextField label={t('auditWho')} type="search" value={typed.caller} onChange={set('caller')} />
          <TextField label={t('auditTarget')} type="search" value={typed.target} onChange={set('target')} />
          <TextField label={t('auditFrom')} type="date" value={typed.from} onChange={set('from')} />
          <TextField label={t('auditUntil')} type="date" value={typed.until} onChange={set('until')} />
        </div>
      </Card>
      <Entries filter={filter} />
      {may('admin') && <ReasonsCard />}
    </Page>
  );
}

async function verify(): Promise<void> {
  const { entries, fault } = await dataOf(api.POST('/api/v1/audit/verify'));
  if (fault) throw new Error(t('auditFault', { seq: fault.seq }));
  showToast(t('auditSound', { count: entries }));
}

function Entries({ filter }: { filter: Filter }) {
  const query = useInfiniteQuery({
    queryKey: ['audit', filter],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => {
      const params = { query: { ...filter, count: 100, ...(pageParam === undefined ? {} : { before: pageParam }) } };
      return dataOf(api.GET('/api/v1/audit', { params, signal }));
    },
    getNextPageParam: (page) => page.next ?? undefined,
  });
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const entries = pages.flatMap((page) => page.entries);
        if (entries.length === 0) return <EmptyNote title={t('auditNone')} />;
        return (
          <Card>
            <DataTable caption={t('auditTitle')} rows={entries} rowKey={({ seq }) => seq} columns={columns()} />
            {query.hasNextPage && (
              <Button
                label={t('auditMore')}
                className="mt-3"
                disabled={query.isFetchingNextPage}
                onClick={() => query.fetchNextPage()}
              />
            )}
          </Card>
        );
      }}
    </Loaded>
  );
}

const columns = () => [
  { title: t('auditWhen'), cell: ({ at }: Entry) => <span className="whitespace-nowrap">{timeText(at)}</span> },
  { title: t('auditWho'), cell: ({ caller_name }: Entry) => caller_name },
  { title: t('auditAct'), cell: ({ act }: Entry) => actText(act) },
  { title: t('auditTarget'), wide: true, cell: ({ target_id }: Entry) => <Code text={target_id ?? ''} /> },
  { title: t('auditDetails'), wide: true, cell: ({ details }: Entry) => <Details details={details} /> },
  { title: t('auditReason'), cell: ({ reason }: Entry) => reason },
];

function Code({ text }: { text: string }) {
  return <code className="text-[12px] break-all text-ink-soft">{text}</code>;
}

function Details({ details }: { details: Entry['details'] }) {
  const { models } = useModels();
  const nameOf = (id: string) => models.find((model) => model.model_id === id)?.name;
  return (
    <ul className="min-w-40 text-[13px] break-words text-ink-soft">
      {detailLines(details, { t, nameOf, fieldName, algorithmName, choiceText }).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** Which acts need a reason. */
function ReasonsCard() {
  const reasons = useQuery(reasonsQuery());
  const toggle = async (asked: readonly string[], act: string) => {
    const changed = asked.includes(act) ? asked.filter((one) => one !== act) : [...asked, act];
    await api.PUT('/api/v1/audit/reasons', { body: { acts: changed as Schemas['RequiredReasons']['acts'] } });
    await refreshAll();
  };
  return (
    <Card title={t('reasonsTitle')}>
      <p className="mb-3 text-ink-soft">{t('reasonsHint')}</p>
      <Loaded query={reasons}>
        {({ acts: asked }) => (
          <div className="grid gap-x-4 sm:grid-cols-2 lg:grid-cols-3">
            {actsWithReason.map((act) => (
              <Checkbox
                key={act}
                label={actText(act)}
                checked={(asked as string[]).includes(act)}
                onChange={() => void toggle(asked, act).catch(showError)}
              />
            ))}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
