import type { Insertable } from 'kysely';
import type { AssessmentImagesTable, AssessmentsTable, Trx } from '../../storage/database.ts';

export interface AssessmentStore {
  /** Replaces the earlier assessment of the same item and model. */
  replaceAssessment(
    trx: Trx,
    assessment: Insertable<AssessmentsTable>,
    images: readonly Insertable<AssessmentImagesTable>[],
  ): Promise<void>;
}

export function createAssessmentStore(): AssessmentStore {
  return {
    async replaceAssessment(trx, assessment, images) {
      const { item_id, model_id } = assessment;
      const insertion = trx.insertInto('assessments').values(assessment);
      const inserted = await insertion.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
      if (inserted.numInsertedOrUpdatedRows === 0n) {
        for (const table of ['assessment_images', 'assessments'] as const) {
          await trx.deleteFrom(table).where('item_id', '=', item_id).where('model_id', '=', model_id).execute();
        }
        await insertion.execute();
      }
      if (images.length > 0) await trx.insertInto('assessment_images').values(images).execute();
    },
  };
}
