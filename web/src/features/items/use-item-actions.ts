import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { ItemChanges } from '../../api/mutations.ts';
import { assessItems, predictItems } from '../../api/mutations.ts';
import { dismissToast, showError, showToast } from '../../components/toast.tsx';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useText } from '../../i18n/use-text.ts';
import { deleteLater, undoMs } from './pending-deletes.ts';

const idsPerRequest = 1000;

/** What can be done to many items at once. Each tells in a toast what came of it. */
export function useItemActions(onDone: () => void) {
  const t = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries();

  const inParts = async (ids: readonly string[], message: MessageKey, act: (part: string[]) => Promise<unknown>) => {
    try {
      for (let start = 0; start < ids.length; start += idsPerRequest)
        await act(ids.slice(start, start + idsPerRequest));
      showToast(t(message, { n: ids.length }));
      onDone();
    } catch (error) {
      showError(error);
    }
    await refresh();
  };

  return {
    change: (ids: readonly string[], changes: ItemChanges, message: MessageKey) =>
      inParts(ids, message, (part) => assessItems(part, changes)),
    predict: (ids: readonly string[]) => inParts(ids, 'predicting', (part) => predictItems('active', part)),
    train: (ids: readonly string[]) => navigate('/train', { state: { itemIds: ids } }),
    remove: (ids: readonly string[]) => {
      const undo = deleteLater(ids, () => {
        dismissToast(toast);
        void refresh();
      });
      const toast = showToast(t('deletedItems', { n: ids.length }), {
        ms: undoMs,
        action: { label: t('undo'), run: undo },
      });
      onDone();
    },
  };
}

export type ItemActions = ReturnType<typeof useItemActions>;
