import { useNavigate } from 'react-router';
import type { Model } from '../../../../src/client/shapes.ts';
import { refineModel } from '../../api/mutations.ts';
import { refreshAll } from '../../api/query-client.ts';
import { ActionButton } from '../../components/button.tsx';
import { showToast } from '../../components/toast.tsx';
import { useText } from '../../i18n/use-text.ts';

interface RefineButtonProps {
  model: Model | undefined;
  /** The items to correct; absent: all items that the person and the model judge differently. */
  itemIds?: readonly string[];
}

/** Makes a new version that agrees with the person, and opens its screen. */
export function RefineButton({ model, itemIds }: RefineButtonProps) {
  const t = useText();
  const navigate = useNavigate();
  if (model?.status !== 'ready') return null;
  const refine = async () => {
    const made = await refineModel(model.model_id, itemIds);
    showToast(t('teachingBegun', { name: made.name, version: made.version }));
    await refreshAll();
    navigate(`/models/${made.model_id}?tab=details`);
  };
  return (
    <ActionButton size={itemIds ? 'small' : 'normal'} title={t('teachHelp')} action={refine}>
      {t(itemIds ? 'teachThis' : 'teachThese')}
    </ActionButton>
  );
}
