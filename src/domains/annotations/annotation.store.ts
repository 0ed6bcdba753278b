import type { Insertable } from 'kysely';
import type { Trx } from '../../storage/database.ts';
import type { AnnotationsTable } from '../../storage/tables/annotations.table.ts';

export interface AnnotationStore {
  replaceAnnotations(trx: Trx, itemId: string, rows: readonly Insertable<AnnotationsTable>[]): Promise<void>;
}

export function createAnnotationStore(): AnnotationStore {
  return {
    async replaceAnnotations(trx, itemId, rows) {
      await trx.deleteFrom('annotations').where('item_id', '=', itemId).execute();
      if (rows.length > 0) await trx.insertInto('annotations').values(rows).execute();
    },
  };
}
