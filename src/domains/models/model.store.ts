import { type Insertable, PostgresAdapter, sql, type Updateable } from 'kysely';
import { say, storeMessages } from '../../messages/message.ts';
import { chunks } from '../../storage/chunks.ts';
import type { Db, ModelRow, ModelsTable, Trx } from '../../storage/database.ts';
import { readKindCounts, sumCounts, type Verdict } from '../../storage/kept-counts.ts';

/** Verdicts of a model beside a person's, counted. */
export interface Confusion {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly trueNegatives: number;
  readonly falseNegatives: number;
}

export type ModelStore = ReturnType<typeof createModelStore>;

export function createModelStore(db: Db) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const update = (trx: Db | Trx, modelId: string, changes: Updateable<ModelsTable>) =>
    trx
      .updateTable('models')
      .set({ ...changes, updated_at: new Date().toISOString() })
      .where('model_id', '=', modelId);

  return {
    async insertModel(trx: Trx, model: Insertable<ModelsTable>, itemIds: readonly string[]): Promise<void> {
      await trx.insertInto('models').values(model).execute();
      for (const members of chunks(itemIds)) {
        const rows = members.map((item_id) => ({ model_id: model.model_id, item_id }));
        await trx.insertInto('model_items').values(rows).execute();
      }
    },

    /** Never the same twice, not even when the model is deleted or two are made at a time. */
    async nextVersion(trx: Trx, algorithmId: string, contextId: number): Promise<number> {
      const { version } = await trx
        .insertInto('model_versions')
        .values({ algorithm_id: algorithmId, context_id: contextId, version: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['algorithm_id', 'context_id'])
            .doUpdateSet(({ ref }) => ({ version: sql<number>`${ref('model_versions.version')} + 1` })),
        )
        .returning('version')
        .executeTakeFirstOrThrow();
      return version;
    },

    listModels(algorithmId?: string): Promise<ModelRow[]> {
      const query = db.selectFrom('models').selectAll().orderBy('seq', 'desc');
      return (algorithmId === undefined ? query : query.where('algorithm_id', '=', algorithmId)).execute();
    },

    async listModelIds(trx: Db | Trx = db): Promise<string[]> {
      return (await trx.selectFrom('models').select('model_id').execute()).map((row) => row.model_id);
    },

    findModel: (modelId: string, trx: Db | Trx = db): Promise<ModelRow | undefined> =>
      trx.selectFrom('models').selectAll().where('model_id', '=', modelId).executeTakeFirst(),

    /** The model, which is not deleted before the transaction ends. */
    holdModel(trx: Trx, modelId: string): Promise<ModelRow | undefined> {
      const model = trx.selectFrom('models').selectAll().where('model_id', '=', modelId);
      return (isPostgres ? model.forKeyShare() : model).executeTakeFirst();
    },

    /**
     * The active model of the target. Without a target, that of the default one; where that has none, the only active
     * model that there is.
     */
    async findActiveModel(trx: Db | Trx = db, targetId?: number): Promise<ModelRow | undefined> {
      const active = trx.selectFrom('models').selectAll().where('active', '=', 1);
      if (targetId !== undefined) return active.where('context_id', '=', targetId).executeTakeFirst();
      const ofDefault = trx.selectFrom('targets').select('target_id').where('is_default', '=', 1);
      const found = await active.where('context_id', 'in', ofDefault).executeTakeFirst();
      if (found) return found;
      const [only, other] = await active.limit(2).execute();
      return other ? undefined : only;
    },

    /** The models that images may go to at any moment, the active ones first. */
    listModelsInUse: (): Promise<ModelRow[]> =>
      db
        .selectFrom('models')
        .selectAll()
        .where('status', '=', 'ready')
        .where(({ or, eb, selectFrom }) =>
          or([
            eb('active', '=', 1),
            eb(
              'model_id',
              'in',
              selectFrom('stations').select('model_id').where('enabled', '=', 1).$narrowType<{ model_id: string }>(),
            ),
          ]),
        )
        .orderBy('active', 'desc')
        .orderBy('seq', 'desc')
        .execute(),

    /** @returns whether the model exists. */
    async updateModel(modelId: string, changes: Updateable<ModelsTable>, trx: Db | Trx = db): Promise<boolean> {
      return (await update(trx, modelId, changes).executeTakeFirst()).numUpdatedRows > 0n;
    },

    /** Changes a model whose training waits or runs; false where it has ended, was cancelled or deleted meanwhile. */
    async updateTraining(modelId: string, changes: Updateable<ModelsTable>, trx: Db | Trx = db): Promise<boolean> {
      const training = update(trx, modelId, changes).where('status', 'in', ['queued', 'training']);
      return (await training.executeTakeFirst()).numUpdatedRows > 0n;
    },

    /** In place of the active model of its target. */
    async activateModel(trx: Trx, modelId: string): Promise<void> {
      const target = trx.selectFrom('models').select('context_id').where('model_id', '=', modelId);
      const before = trx.updateTable('models').set({ active: 0 }).where('active', '=', 1);
      await before.where('context_id', 'in', target).execute();
      await update(trx, modelId, { active: 1 }).execute();
    },

    /** Items whose only verdict was the model's wait again, and say why. */
    async deleteModel(trx: Trx, modelId: string): Promise<void> {
      // The model first: a verdict that is being stored either is committed before, or finds the model gone.
      await trx.deleteFrom('models').where('model_id', '=', modelId).execute();
      await trx
        .updateTable('items')
        .set({ status: 'pending', status_text: storeMessages([say('status.model-deleted')]) })
        .where('status', '=', 'done')
        .where('item_id', 'in', trx.selectFrom('assessments').select('item_id').where('model_id', '=', modelId))
        .where(({ not, exists, selectFrom }) => {
          const others = selectFrom('assessments').select('item_id').where('model_id', '<>', modelId);
          return not(exists(others.whereRef('assessments.item_id', '=', 'items.item_id')));
        })
        .execute();
      for (const table of ['assessment_images', 'assessments', 'model_items', 'deliveries'] as const) {
        await trx.deleteFrom(table).where('model_id', '=', modelId).execute();
      }
      const ofModel = trx
        .deleteFrom('counts')
        .where(({ eb, or }) => or([eb('scope', '=', modelId), eb('scope', 'like', `${modelId}@%`)]));
      await ofModel.execute();
    },

    async listTrainingItemIds(modelId: string): Promise<string[]> {
      const rows = await db.selectFrom('model_items').select('item_id').where('model_id', '=', modelId).execute();
      return rows.map((row) => row.item_id);
    },

    /** Sizes of the images that the model has learned from, each once. None for a model that was imported. */
    async listTrainingSizes(modelId: string): Promise<{ width: number; height: number }[]> {
      const images = db
        .selectFrom('model_items')
        .innerJoin('item_images', 'item_images.item_id', 'model_items.item_id');
      return images.where('model_id', '=', modelId).select(['width', 'height']).distinct().execute();
    },

    /** Counts over predicted items with a verdict of a person, for each of the models. */
    async countVerdicts(modelIds: readonly string[]): Promise<Map<string, Confusion>> {
      const counts = (await readKindCounts(db, modelIds)).filter(({ training }) => !training);
      const confusionOf = (modelId: string): Confusion => {
        const ofModel = counts.filter(({ scope }) => scope === modelId);
        const count = (result: Verdict, truth: Verdict): number =>
          sumCounts(ofModel.filter(({ verdicts, person }) => verdicts.includes(result) && person === truth));
        return {
          truePositives: count('NG', 'NG'),
          falsePositives: count('NG', 'OK'),
          trueNegatives: count('OK', 'OK'),
          falseNegatives: count('OK', 'NG'),
        };
      };
      return new Map(modelIds.map((modelId) => [modelId, confusionOf(modelId)]));
    },
  };
}
