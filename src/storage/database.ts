import type { Kysely, Transaction } from 'kysely';
import type { AnnotationsTable } from './tables/annotations.table.ts';
import type { AssessmentImagesTable, AssessmentsTable } from './tables/assessments.table.ts';
import type { ClientsTable } from './tables/clients.table.ts';
import type { CountsTable } from './tables/counts.table.ts';
import type { DeliveriesTable } from './tables/deliveries.table.ts';
import type { ItemImagesTable, ItemsTable } from './tables/items.table.ts';
import type { JobsTable } from './tables/jobs.table.ts';
import type { LabelsTable } from './tables/labels.table.ts';
import type { ModelVersionsTable } from './tables/model-versions.table.ts';
import type { ModelItemsTable, ModelsTable } from './tables/models.table.ts';
import type { SettingsTable } from './tables/settings.table.ts';
import type { TargetsTable } from './tables/targets.table.ts';

/** Columns are text, integer or double precision only, so that every dialect reads them alike: times are ISO 8601, truth is 0 or 1. */
export interface Database {
  clients: ClientsTable;
  settings: SettingsTable;
  targets: TargetsTable;
  labels: LabelsTable;
  items: ItemsTable;
  item_images: ItemImagesTable;
  annotations: AnnotationsTable;
  assessments: AssessmentsTable;
  assessment_images: AssessmentImagesTable;
  models: ModelsTable;
  model_items: ModelItemsTable;
  model_versions: ModelVersionsTable;
  jobs: JobsTable;
  deliveries: DeliveriesTable;
  counts: CountsTable;
}

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;
