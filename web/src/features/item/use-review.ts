import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { Item, NewAnnotation } from '../../../../src/client/shapes.ts';
import { localUrl } from '../../api/kensa.ts';
import { annotateItem } from '../../api/mutations.ts';
import { fetchItemPage, itemQuery, modelsQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { showError, showFailure, showToast } from '../../components/toast.tsx';
import { useText } from '../../i18n/use-text.ts';
import { readFilter } from '../items/item-filter.ts';
import { backFromItem, getReviewSequence, type ReviewSequence, rememberPlace } from '../items/review-sequence.ts';
import { shownAssessment } from '../items/shown-assessment.ts';

export type Review = ReturnType<typeof useReview>;

/** The item in the address, its neighbours in the list that it was opened from, and the function that judges it. */
export function useReview() {
  const { itemId = '' } = useParams();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const t = useText();
  const search = query.toString();
  const sequence = useMemo(
    () => getReviewSequence(readFilter(query), Number(query.get('at')) || 0, fetchItemPage),
    [query],
  );
  const item = useItem(itemId, sequence);
  const place = usePlace(itemId, sequence);
  const judge = useJudge(sequence);
  const active = useQuery(modelsQuery()).data?.find((model) => model.active);
  // As in the gallery: the model of the filter, else the active one.
  const modelId = sequence.filter.model_id ?? active?.model_id;
  usePreload(itemId, sequence, modelId);

  const go = async (step: 1 | -1) => {
    try {
      const next = await sequence.neighbour(itemId, step);
      if (!next) showToast(t(step > 0 ? 'endOfList' : 'startOfList'));
      else navigate(`/items/${next.item_id}?${search}`, { replace: true });
    } catch (error) {
      showError(error);
    }
  };
  const gallerySearch = withoutPlace(query);
  useEffect(() => {
    if (place) rememberPlace(gallerySearch, place.at - 1);
  }, [gallerySearch, place]);
  const back = () => navigate(`/items?${gallerySearch}`, { state: backFromItem });
  return { itemId, item, modelId, place, judge, go, back };
}

function withoutPlace(query: URLSearchParams): string {
  const gallery = new URLSearchParams(query);
  gallery.delete('at');
  return gallery.toString();
}

function useItem(itemId: string, sequence: ReviewSequence) {
  // The item of the list is shown until the newest version is loaded.
  const known = sequence.findItem(itemId);
  return useQuery({ ...itemQuery(itemId), ...(known ? { placeholderData: known } : {}) });
}

function usePlace(itemId: string, sequence: ReviewSequence): { at: number; total: number } | undefined {
  const [place, setPlace] = useState<{ at: number; total: number }>();
  useEffect(() => {
    let current = true;
    const update = () => {
      const at = sequence.positionOf(itemId);
      if (current) setPlace(at < 0 ? undefined : { at: at + 1, total: sequence.total });
    };
    update();
    sequence.load(itemId).then(update, () => undefined);
    return () => {
      current = false;
    };
  }, [itemId, sequence]);
  return place;
}

/** Shows the verdict at once and sends it. If that fails, the item gets its old verdict back. */
function useJudge(sequence: ReviewSequence) {
  const t = useText();
  return async (item: Item, good: boolean, annotations: readonly NewAnnotation[] = []): Promise<void> => {
    const { queryKey } = itemQuery(item.item_id);
    const result = good ? 'OK' : 'NG';
    const label = good ? 'good' : 'defect';
    const created_at = new Date().toISOString();
    const regions = good ? [] : annotations.map((annotation) => ({ ...annotation, created_at }));
    const judged: Item = { ...item, user_assessment: { result, label, annotations: regions } };
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, judged);
    sequence.replaceItem(judged);
    try {
      await annotateItem(item.item_id, annotations, good);
    } catch (error) {
      queryClient.setQueryData(queryKey, item);
      sequence.replaceItem(item);
      showFailure(t('verdictNotSaved', { name: item.name }), error);
      await queryClient.invalidateQueries({ queryKey });
    }
    void queryClient.invalidateQueries({ queryKey: ['scores'], refetchType: 'none' });
  };
}

/** The browser loads the images of the next two items. */
function usePreload(itemId: string, sequence: ReviewSequence, modelId: string | undefined): void {
  useEffect(() => {
    let current = true;
    const preload = async () => {
      let id = itemId;
      for (let ahead = 0; ahead < 2 && current; ahead++) {
        const next = await sequence.neighbour(id, 1);
        if (!next || next.item_id === id) return;
        const heatmaps = shownAssessment(next, modelId)?.images ?? [];
        for (const { url } of [...next.images.slice(0, 1), ...heatmaps.slice(0, 1)]) new Image().src = localUrl(url);
        id = next.item_id;
      }
    };
    preload().catch(() => undefined);
    return () => {
      current = false;
    };
  }, [itemId, sequence, modelId]);
}
