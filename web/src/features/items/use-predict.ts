import { predictItems } from '../../../../src/client/predict-items.ts';
import { api } from '../../api/kensa.ts';
import { dismissToast, showToast, updateToast } from '../../components/toast.tsx';
import { t } from '../../i18n/text.ts';

const fewItems = 100;

/** Queues items for inspection. For many items, a message shows the progress and can stop it. */
export function usePredict(): (modelId: string, itemIds: readonly string[]) => Promise<void> {
  return async (modelId, itemIds) => {
    const controller = new AbortController();
    const total = itemIds.length;
    const progress = (done: number) => t('predictingProgress', { done, total });
    const toast =
      total > fewItems
        ? showToast(progress(0), {
            ms: Number.POSITIVE_INFINITY,
            action: { label: t('uploadStop'), run: () => controller.abort() },
          })
        : undefined;
    try {
      const onProgress = (done: number) => toast !== undefined && updateToast(toast, progress(done));
      const queued = await predictItems(api, modelId, itemIds, { onProgress, signal: controller.signal });
      showToast(t('predicting', { n: queued.length }));
    } finally {
      if (toast !== undefined) dismissToast(toast);
    }
  };
}
