import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { Model, ScoredItem } from '../../../../src/client/shapes.ts';
import { api, ofModel } from '../../api/kensa.ts';
import { deleteLater } from '../../api/pending-deletes.ts';
import { fetchItemPage, fetchScores, queryClient, refreshAll, scoresQuery } from '../../api/queries.ts';
import { ActionButton } from '../../components/button.tsx';
import { Card, Loaded, ProgressBar } from '../../components/page.tsx';
import { showToast } from '../../components/toast.tsx';
import { type MessageKey, t } from '../../i18n/text.ts';
import { AffectedItems } from './affected-items.tsx';
import { compareVersions, listCorrections, type VersionChanges } from './score-statistics.ts';
import { useModels } from './use-models.ts';

/** The model that this one was refined from, while this one waits for a person to activate or discard it. */
export function useParentOfProposal(model: Model): Model | undefined {
  const parent = useModels(model.context_id).ready.find((one) => one.model_id === model.parent_id);
  return model.status === 'ready' && !model.active ? parent : undefined;
}

const pollMs = 1_000;
const slowPollMs = 15_000;

/** Whether items that people judged wait for a verdict of a model. */
async function judgedItemsWait(signal: AbortSignal): Promise<boolean> {
  // In this order: an item does not go from one to the other unseen.
  for (const status of ['queued', 'processing'] as const) {
    for (const user_result of ['OK', 'NG'] as const) {
      const { total } = await fetchItemPage({ item_type: 'prediction', status, user_result, count: 1 }, signal);
      if (total > 0) return true;
    }
  }
  return false;
}

const kinds: readonly (readonly [
  kind: Exclude<keyof VersionChanges, 'inspected' | 'right' | 'all'>,
  text: MessageKey,
  isGood: boolean,
])[] = [
  ['found', 'proposalFound', true],
  ['cleared', 'proposalCleared', true],
  ['missed', 'proposalMissed', false],
  ['alarms', 'proposalAlarms', false],
];

/** What a refined version changes for the items that people judged, before it goes live. */
export function Proposal({ model, parent }: { model: Model; parent: Model }) {
  const before = useQuery(scoresQuery(parent.model_id));
  const known = useMemo(() => before.data?.items.filter((item) => item.user_result !== null) ?? [], [before.data]);
  // The server has the new version inspect no more, and fewer where the queue is short of room.
  const total = Math.min(known.length, 1000);
  const after = useQuery({
    queryKey: ['proposal', model.model_id],
    queryFn: async ({ signal }) => {
      // Asked first: without any that waits, the scores are complete.
      const isWaiting = await judgedItemsWait(signal);
      const scores = await fetchScores(model.model_id, signal);
      queryClient.setQueryData(scoresQuery(model.model_id).queryKey, scores);
      return { isWaiting, scores };
    },
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => {
      if (data && data.scores.items.length >= total) return false;
      return data?.isWaiting === false ? slowPollMs : pollMs;
    },
  });
  const changes = useMemo(
    () => before.data && after.data && compareVersions(before.data, after.data.scores),
    [before.data, after.data],
  );
  // An item that failed, or was judged since, is never inspected.
  const isInspected = changes !== undefined && (changes.inspected >= total || after.data?.isWaiting === false);
  const { models } = useModels();
  const corrections = new Set(listCorrections(model, models));
  const navigate = useNavigate();
  const { name } = model;
  const activate = async () => {
    await api.POST('/api/v1/models/{model_id}/activate', ofModel(model.model_id));
    showToast(t('activated', { name }));
    await refreshAll();
  };
  const discard = async () => {
    const text = t('discarded', { name, version: model.version });
    if (await deleteLater('model', [model.model_id], text)) navigate(`/models/${parent.model_id}`);
  };
  return (
    <Card title={t('proposalTitle')}>
      <Loaded query={before}>
        {() => (
          <Loaded query={after}>
            {({ scores: { threshold } }) =>
              changes && (
                <div className="flex flex-col gap-4">
                  {changes.inspected < total && (
                    <div className="flex flex-col gap-2">
                      {!isInspected && <ProgressBar value={changes.inspected / total} label={t('proposalTitle')} />}
                      <p role="status">{t('proposalProgress', { done: changes.inspected, total })}</p>
                    </div>
                  )}
                  {isInspected && (
                    <>
                      <p>{t('proposalHint', { n: changes.inspected, changes: changes.all.length })}</p>
                      {changes.right > 0 && <p>{t('proposalKept', { n: changes.right })}</p>}
                      <ul className="flex flex-wrap gap-3">
                        {kinds.map(([kind, text, isGood]) => (
                          <Change
                            key={kind}
                            text={text}
                            items={changes[kind]}
                            corrections={corrections}
                            modelId={model.model_id}
                            isGood={isGood}
                            threshold={threshold}
                          />
                        ))}
                      </ul>
                    </>
                  )}
                </div>
              )
            }
          </Loaded>
        )}
      </Loaded>
      <div className="mt-4 flex flex-wrap gap-2">
        <ActionButton needs="engineer" label={t('activate')} look="primary" disabled={!isInspected} action={activate} />
        <ActionButton needs="engineer" label={t('discard')} action={discard} />
      </div>
    </Card>
  );
}

interface ChangeProps {
  text: MessageKey;
  items: readonly ScoredItem[];
  corrections: ReadonlySet<string>;
  isGood: boolean;
  modelId: string;
  threshold: number;
}

/** The version knows the items that it learned: that it judges them as people did says little about others. */
function Change({ text, items, corrections, isGood, modelId, threshold }: ChangeProps) {
  const learned = items.filter(({ item_id }) => corrections.has(item_id)).length;
  const tone = items.length === 0 ? 'text-ink-soft' : isGood ? 'text-ok' : 'text-ng';
  return (
    <li
      className={`flex min-w-0 flex-col gap-2 rounded-lg border border-line p-3 ${items.length > 0 ? 'basis-full' : 'grow'}`}
    >
      <p className={`font-semibold ${tone}`}>
        {t(text, { n: items.length })}
        {learned > 0 && t('proposalLearned', { n: learned })}
      </p>
      <AffectedItems items={items} modelId={modelId} threshold={threshold} />
    </li>
  );
}
