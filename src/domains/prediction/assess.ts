import type { Logger } from 'pino';
import { type Message, say } from '../../messages/message.ts';
import type { ItemImageRow, ModelRow, Trx } from '../../storage/database.ts';
import type { LabelsService } from '../labels/labels.service.ts';
import { type AssessedImage, assessItem } from './assessment.store.ts';

interface Assessed {
  readonly assessment: ReturnType<typeof assessItem>['assessment'];
  /** What it says of each image. */
  readonly parts: ReturnType<typeof assessItem>['images'];
  /** What preprocessing could not do. */
  readonly remarks: Message[];
}

export type Assess = ReturnType<typeof createAssess>;

/** Makes the rows of an item's verdict from the verdicts on its images. */
export function createAssess({ labels, log }: { labels: Pick<LabelsService, 'listLabels'>; log: Logger }) {
  const labelsOf = async (images: readonly AssessedImage[], trx?: Trx): Promise<(label: number) => string> => {
    const hasLabels = images.some(({ verdict }) => verdict.label !== null);
    const names = new Map(hasLabels ? (await labels.listLabels(trx)).map(({ label, name }) => [label, name]) : []);
    return (label) => names.get(label) ?? String(label);
  };

  return async (
    itemId: string,
    { model_id: modelId, threshold }: ModelRow,
    stored: readonly ItemImageRow[],
    images: readonly AssessedImage[],
    trx?: Trx,
  ): Promise<Assessed> => {
    const remarks = describeRemarks(images, stored);
    if (remarks.length > 0) log.warn({ item: itemId, model: modelId, remarks }, 'preprocessing failed on an image');
    const context = { threshold, predictedAt: new Date().toISOString() };
    const { assessment, images: parts } = assessItem({ itemId, modelId }, images, await labelsOf(images, trx), context);
    return { assessment, parts, remarks };
  };
}

/** What preprocessing could not do with each image. */
function describeRemarks(assessed: readonly AssessedImage[], images: readonly ItemImageRow[]): Message[] {
  return assessed.flatMap(({ position, verdict: { remarks = [] } }) => {
    const name = images.find((image) => image.position === position)?.name ?? '';
    return remarks.map((remark) => (images.length > 1 ? say('status.of-image', { name, remark }) : remark));
  });
}
