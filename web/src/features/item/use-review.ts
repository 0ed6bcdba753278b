import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { Item, NewAnnotation, Verdict } from '../../../../src/client/shapes.ts';
import { api, localUrl } from '../../api/kensa.ts';
import { fetchItemPage, itemQuery, queryClient } from '../../api/queries.ts';
import { shownAssessment } from '../../components/item-tile.tsx';
import { showError, showToast } from '../../components/toast.tsx';
import { announceChange, forgetChange, undoChange } from '../../components/undo.ts';
import { t } from '../../i18n/text.ts';
import { useItemFilter } from '../items/filter-bar.tsx';
import {
  backFromItem,
  findNeighbour,
  itemsOf,
  lastShown,
  placeOf,
  replaceItem,
  reviewQuery,
} from '../items/review-list.ts';
import { setVerdicts, verdictOf } from '../items/set-verdicts.ts';
import { useModels } from '../model/use-models.ts';
import { anomalyMapQuery } from '../viewer/anomaly-layer.tsx';
import { addLastVerdict, removeLastVerdict } from './last-verdicts.tsx';
import { restoredItem } from './use-regions.ts';

export type Review = ReturnType<typeof useReview>;

/** The item in the address, its neighbours in the list that it was opened from, and the function that saves a verdict. */
export function useReview() {
  const { itemId = '' } = useParams();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const filter = useItemFilter(query);
  const startIndex = Number(query.get('at')) || 0;
  const listQuery = reviewQuery(filter, startIndex, fetchItemPage);
  const list = useInfiniteQuery(listQuery);
  const items = useMemo(() => itemsOf(list.data), [list.data]);
  const place = placeOf(itemId, list.data);
  // The item of the list is shown until the newest version is loaded.
  const known = items.find((one) => one.item_id === itemId);
  const item = useQuery({ ...itemQuery(itemId), ...(known ? { placeholderData: known } : {}) });
  const { active } = useModels(item.data?.target_id);
  // As in the gallery: the model of the filter, else the active one.
  const modelId = filter.model_id ?? active?.model_id;
  usePreload(items, itemId, modelId);

  const at = place && place.at - 1;
  const gallery = new URLSearchParams(query);
  gallery.delete('at');
  const search = gallery.toString();
  useEffect(() => {
    if (at !== undefined) Object.assign(lastShown, { search, at });
  }, [search, at]);

  /** @param change that the step follows: at the end of the list, the message offers to undo it */
  const go = async (step: 1 | -1, change?: number) => {
    try {
      const next = await findNeighbour(list, itemId, step);
      const undo = change === undefined ? {} : { action: { label: t('undo'), run: () => void undoChange(change) } };
      if (!next) showToast(t(step > 0 ? 'endOfList' : 'startOfList'), undo);
      else navigate(`/items/${next.item_id}?${search}&at=${Math.max(0, (at ?? startIndex) + step)}`, { replace: true });
    } catch (error) {
      showError(error);
    }
  };
  const back = () => navigate(`/items?${search}`, { state: backFromItem });

  const show = (shown: Item) => {
    queryClient.setQueryData(itemQuery(shown.item_id).queryKey, shown);
    queryClient.setQueryData(listQuery.queryKey, (data) => replaceItem(data, shown));
  };

  /** Shows the verdict at once and sends it. If that fails, the item gets its old verdict back. */
  const assess = async (before: Item, good: boolean, annotations: readonly NewAnnotation[]): Promise<boolean> => {
    const { queryKey } = itemQuery(before.item_id);
    const created_at = new Date().toISOString();
    const regions = annotations.map((annotation) => ({ ...annotation, created_at }));
    await queryClient.cancelQueries({ queryKey });
    show({
      ...before,
      user_assessment: { result: good ? 'OK' : 'NG', label: good ? 'good' : 'defect', annotations: regions },
    });
    try {
      // No annotations and `good: false` is NG without a place.
      const body = good ? { good } : { good, annotations: [...annotations] };
      await api.PATCH('/api/v1/items/{item_id}', { params: { path: { item_id: before.item_id } }, body });
      return true;
    } catch (error) {
      show(before);
      showError(error, t('verdictNotSaved', { name: before.name }));
      await queryClient.invalidateQueries({ queryKey });
      return false;
    } finally {
      void queryClient.invalidateQueries({ queryKey: ['scores'], refetchType: 'none' });
    }
  };

  /** Sends the verdict, and remembers how to take it back. @param onBack called when it is taken back or not saved */
  const assessUndoably = (
    { text, good, onBack }: { text: string; good: boolean; onBack?: () => void },
    before: Item,
    annotations: readonly NewAnnotation[],
  ): number => {
    const path = location.pathname + location.search;
    const takeBack = async () => {
      // The verdict must not arrive after the one that replaces it.
      await sent;
      await queryClient.cancelQueries({ queryKey: itemQuery(before.item_id).queryKey });
      await setVerdicts([verdictOf(before)]);
      show(before);
      onBack?.();
      restoredItem.set(before);
      // In a review, the item is shown again, to judge it anew.
      if (location.pathname.startsWith('/items/')) navigate(path, { replace: true });
      void queryClient.invalidateQueries({ queryKey: ['scores'], refetchType: 'none' });
    };
    // Hundreds of verdicts come one after the other: the message tells of the last one.
    const change = announceChange(text, takeBack, 'review');
    const sent = assess(before, good, annotations).then((isSaved) => {
      if (isSaved) return;
      forgetChange(change);
      onBack?.();
    });
    return change;
  };

  /** Saves the verdict of the person and goes on to the next item. */
  const judge = async (before: Item, verdict: Verdict, annotations: readonly NewAnnotation[]) => {
    const onBack = () => removeLastVerdict(before.item_id);
    const text = `${verdict}: ${before.name}`;
    const change = assessUndoably({ text, good: verdict === 'OK', onBack }, before, annotations);
    addLastVerdict({ item: before, verdict, path: location.pathname + location.search });
    await go(1, change);
  };

  const saveRegions = (before: Item, annotations: readonly NewAnnotation[]): void => {
    assessUndoably({ text: t('regionsOf', { name: before.name }), good: false }, before, annotations);
  };
  /** The address of another item of the list. */
  const pathTo = ({ item_id }: Item): string => {
    const index = items.findIndex((one) => one.item_id === item_id);
    const here = items.findIndex((one) => one.item_id === itemId);
    return `/items/${item_id}?${search}&at=${Math.max(0, (at ?? startIndex) + index - here)}`;
  };
  return { item, items, modelId, place, judge, saveRegions, go, back, pathTo };
}

/** Loads the next two items with their images. */
function usePreload(items: readonly Item[], itemId: string, modelId: string | undefined): void {
  useEffect(() => {
    const index = items.findIndex((item) => item.item_id === itemId);
    if (index < 0) return;
    for (const next of items.slice(index + 1, index + 3)) {
      void queryClient.prefetchQuery(itemQuery(next.item_id));
      const heatmap = shownAssessment(next, modelId)?.images?.[0];
      const [image] = next.images;
      if (image?.url) new Image().src = localUrl(image.url);
      if (heatmap?.map_url) void queryClient.prefetchQuery(anomalyMapQuery(heatmap.map_url));
      else if (heatmap) new Image().src = localUrl(heatmap.url);
    }
  }, [items, itemId, modelId]);
}
