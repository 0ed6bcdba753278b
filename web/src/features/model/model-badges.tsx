import type { Model, ModelStatus } from '../../../../src/client/shapes.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Icon } from '../../components/icon.tsx';
import { type MessageKey, t } from '../../i18n/text.ts';

const statuses: Record<ModelStatus, [MessageKey, Tone]> = {
  queued: ['statusQueued', 'neutral'],
  training: ['statusTraining', 'accent'],
  ready: ['statusReady', 'ok'],
  failed: ['statusFailed', 'ng'],
  cancelled: ['statusCancelled', 'neutral'],
};

export function ModelBadges({ model }: { model: Model }) {
  const [text, tone] = statuses[model.status];
  if (!model.active) return <Badge tone={tone}>{t(text)}</Badge>;
  return (
    <Badge tone="accent">
      <Icon name="check" size={12} /> {t('active')}
    </Badge>
  );
}
