import type { Kysely, Migration } from 'kysely';
import { identity } from './column-types.ts';

async function createSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('clients')
    .addColumn('client_id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('secret_hash', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('revoked_at', 'text')
    .execute();
  await db.schema
    .createTable('settings')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('labels')
    .addColumn('label', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('targets')
    .addColumn('target_id', 'integer', identity(db))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('preprocessing', 'text', (c) => c.notNull())
    .addColumn('is_default', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
}

async function createItems(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('items')
    .addColumn('seq', 'integer', identity(db))
    .addColumn('item_id', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('status_text', 'text')
    .addColumn('active', 'integer', (c) => c.notNull())
    .addColumn('is_training', 'integer', (c) => c.notNull())
    .addColumn('user_result', 'text')
    .addColumn('user_label', 'text')
    .addColumn('user_assessed_at', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('items_by_type').on('items').columns(['is_training', 'seq']).execute();
  await db.schema
    .createTable('item_images')
    .addColumn('item_id', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('blob', 'text', (c) => c.notNull())
    .addColumn('format', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('file_size', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('item_images_key', ['item_id', 'position'])
    .execute();
  await db.schema.createIndex('item_images_by_blob').on('item_images').column('blob').execute();
  await db.schema
    .createTable('annotations')
    .addColumn('annotation_id', 'integer', identity(db))
    .addColumn('item_id', 'text', (c) => c.notNull())
    .addColumn('image', 'text')
    .addColumn('x_min', 'double precision', (c) => c.notNull())
    .addColumn('y_min', 'double precision', (c) => c.notNull())
    .addColumn('x_max', 'double precision', (c) => c.notNull())
    .addColumn('y_max', 'double precision', (c) => c.notNull())
    .addColumn('label', 'integer')
    .addColumn('notes', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('annotations_by_item').on('annotations').column('item_id').execute();
}

async function createModels(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('models')
    .addColumn('seq', 'integer', identity(db))
    .addColumn('model_id', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('algorithm_id', 'text', (c) => c.notNull())
    .addColumn('algorithm_type', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('context_id', 'integer', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('status_text', 'text', (c) => c.notNull())
    .addColumn('active', 'integer', (c) => c.notNull())
    .addColumn('params', 'text', (c) => c.notNull())
    .addColumn('steps', 'text', (c) => c.notNull())
    .addColumn('step_references', 'text', (c) => c.notNull())
    .addColumn('seed', 'integer', (c) => c.notNull())
    .addColumn('image_blob', 'text')
    .addColumn('ok_img_count', 'integer', (c) => c.notNull())
    .addColumn('ng_img_count', 'integer', (c) => c.notNull())
    .addColumn('training_time', 'integer')
    .addColumn('accuracy', 'double precision')
    .addColumn('precision', 'double precision')
    .addColumn('recall', 'double precision')
    .addColumn('calibration', 'text')
    .addColumn('model_blob', 'text')
    .addColumn('backbone_id', 'text')
    .addColumn('backbone_blob', 'text')
    .addColumn('backbone_description', 'text')
    .addColumn('threshold', 'double precision', (c) => c.notNull())
    .addColumn('ignore_outer', 'text', (c) => c.notNull())
    .addColumn('min_detected_area', 'double precision', (c) => c.notNull())
    .addColumn('callback_url', 'text')
    .addColumn('callback_method', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('model_items')
    .addColumn('model_id', 'text', (c) => c.notNull())
    .addColumn('item_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('model_items_key', ['model_id', 'item_id'])
    .execute();
}

async function createAssessments(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('assessments')
    .addColumn('seq', 'integer', identity(db))
    .addColumn('item_id', 'text', (c) => c.notNull())
    .addColumn('model_id', 'text', (c) => c.notNull())
    .addColumn('result', 'text', (c) => c.notNull())
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('anomaly_score', 'text', (c) => c.notNull())
    .addColumn('raw_score', 'double precision', (c) => c.notNull())
    .addColumn('threshold', 'double precision', (c) => c.notNull())
    .addColumn('detected_objects', 'integer', (c) => c.notNull())
    .addColumn('detection_accuracy', 'integer', (c) => c.notNull())
    .addColumn('predicted_at', 'text', (c) => c.notNull())
    .addColumn('duration_ms', 'double precision', (c) => c.notNull())
    .addUniqueConstraint('assessments_key', ['item_id', 'model_id'])
    .execute();
  await db.schema.createIndex('assessments_by_model').on('assessments').columns(['model_id', 'seq']).execute();
  await db.schema
    .createTable('assessment_images')
    .addColumn('item_id', 'text', (c) => c.notNull())
    .addColumn('model_id', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('result', 'text', (c) => c.notNull())
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('anomaly_score', 'text', (c) => c.notNull())
    .addColumn('raw_score', 'double precision', (c) => c.notNull())
    .addColumn('detected_objects', 'integer', (c) => c.notNull())
    .addColumn('detection_accuracy', 'integer', (c) => c.notNull())
    .addColumn('defect_area', 'double precision', (c) => c.notNull())
    .addColumn('regions', 'text', (c) => c.notNull())
    .addColumn('heatmap_blob', 'text')
    .addColumn('heatmap_width', 'integer')
    .addColumn('heatmap_height', 'integer')
    .addColumn('heatmap_size', 'integer')
    .addColumn('duration_ms', 'double precision', (c) => c.notNull())
    .addPrimaryKeyConstraint('assessment_images_key', ['item_id', 'model_id', 'position'])
    .execute();
  await db.schema.createIndex('assessment_images_by_heatmap').on('assessment_images').column('heatmap_blob').execute();
}

export const migration0001: Migration = {
  async up(db) {
    await createSettings(db);
    await createItems(db);
    await createModels(db);
    await createAssessments(db);
  },
};
