import type { Insertable } from 'kysely';
import type { AssessmentImagesTable, AssessmentsTable, Trx } from '../../storage/database.ts';

export type AssessmentStore = ReturnType<typeof createAssessmentStore>;

export function createAssessmentStore() {
  return {
    /** Replaces the earlier assessment of the same item and model. */
    async replaceAssessment(
      trx: Trx,
      assessment: Insertable<AssessmentsTable>,
      images: readonly Insertable<AssessmentImagesTable>[],
    ): Promise<void> {
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
