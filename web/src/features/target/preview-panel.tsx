import type { Item, Target } from '../../../../src/client/shapes.ts';
import { Card } from '../../components/page.tsx';
import { stepTitle } from '../../i18n/server-texts.ts';
import { t } from '../../i18n/text.ts';
import { CropCanvas } from './crop-canvas.tsx';
import { type DraftStep, type StepEditor, toPreprocessing } from './draft-steps.ts';
import { MaskCanvas } from './mask-canvas.tsx';
import { PreviewImage, usePreview } from './preview.tsx';

interface PreviewPanelProps {
  target: Target;
  editor: StepEditor;
  sample: Item;
}

/** The item before and after the steps. A crop or a mask is drawn on the image that its step gets. */
export function PreviewPanel({ target, editor, sample }: PreviewPanelProps) {
  const { steps } = editor;
  const openIndex = steps.findIndex((step) => step.key === editor.openKey);
  const open = steps[openIndex];
  const drawn = open && (open.name === 'crop' || open.name === 'mask') ? open : undefined;
  const inputSteps = drawn ? steps.slice(0, openIndex) : [];
  const before = usePreview(target.target_id, sample.item_id, toPreprocessing(inputSteps));
  const after = usePreview(target.target_id, sample.item_id, toPreprocessing(steps));
  const setConfig = (config: DraftStep['config']) =>
    editor.edit(steps.map((step) => (step === drawn ? { ...step, config } : step)));
  const title = drawn ? t('beforeStep', { name: stepTitle(drawn.name) }) : t('before');
  const Canvas = drawn?.name === 'crop' ? CropCanvas : MaskCanvas;
  return (
    <div
      className={`grid items-start gap-4 ${drawn ? 'grid-cols-[minmax(0,1fr)] md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]' : 'grid-cols-2'}`}
    >
      <Card title={title}>
        {drawn && before.src ? (
          <Canvas key={drawn.key} preview={before} config={drawn.config} onChange={setConfig} />
        ) : (
          <PreviewImage preview={before} alt={`${title}: ${sample.name}`} />
        )}
      </Card>
      <Card title={t('after')}>
        <PreviewImage preview={after} alt={`${t('after')}: ${sample.name}`} testId="preview-after" />
      </Card>
    </div>
  );
}
