import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Model } from '../../../../src/client/shapes.ts';
import { refineModel } from '../../api/mutations.ts';
import { Button } from '../../components/button.tsx';
import { showError, showToast } from '../../components/toast.tsx';
import { useText } from '../../i18n/use-text.ts';

interface TeachButtonProps {
  model: Model | undefined;
  /** Items to teach; absent: all on which the person and the model differ. */
  itemIds?: readonly string[];
}

/** Makes a new version that judges as the person did, and goes to see it made. */
export function TeachButton({ model, itemIds }: TeachButtonProps) {
  const t = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const refine = useMutation({
    mutationFn: (modelId: string) => refineModel(modelId, itemIds),
    onSuccess: async (made) => {
      showToast(t('teachingBegun', { name: made.name, version: made.version }));
      await queryClient.invalidateQueries();
      navigate(`/models/${made.model_id}?tab=details`);
    },
    onError: showError,
  });
  if (model?.status !== 'ready') return null;
  return (
    <Button
      size={itemIds ? 'small' : 'normal'}
      title={t('teachHelp')}
      disabled={refine.isPending}
      onClick={() => refine.mutate(model.model_id)}
    >
      {t(itemIds ? 'teachThis' : 'teachThese')}
    </Button>
  );
}
