import type { ColumnType, Generated, Kysely, Selectable, Transaction } from 'kysely';
import type { Caller } from '../caller.ts';
import type { Role, Scope } from '../roles.ts';

/** Columns are text, integer or double precision, which both dialects read alike. Times are ISO 8601, booleans 0 or 1. */
export interface Database {
  clients: ClientsTable;
  /** Values that the service makes itself and must keep: keys, the license, the chosen defaults. */
  settings: { key: string; value: string };
  targets: TargetsTable;
  labels: { label: number; name: string };
  items: ItemsTable;
  item_images: ItemImagesTable;
  annotations: AnnotationsTable;
  assessments: AssessmentsTable;
  assessment_images: AssessmentImagesTable;
  models: ModelsTable;
  model_items: { model_id: string; item_id: string };
  /** The highest version that a model of an algorithm and target was given, deleted ones included. */
  model_versions: { algorithm_id: string; context_id: number; version: number };
  jobs: JobsTable;
  deliveries: DeliveriesTable;
  counts: CountsTable;
  stations: StationsTable;
  users: UsersTable;
  sessions: SessionsTable;
  terminals: TerminalsTable;
  audit_log: AuditTable;
  station_files: StationFilesTable;
  ftp_logins: FtpLoginsTable;
  ftp_uploads: FtpUploadsTable;
  station_leases: StationLeasesTable;
  retention_rules: RetentionRulesTable;
  holds: HoldsTable;
  held_items: { item_id: string; hold_id: string };
  /** Small WebP versions of images that were removed. */
  thumbnails: { item_id: string; position: number; webp: Buffer };
  retention_runs: RetentionRunsTable;
}

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

export type ItemRow = Selectable<ItemsTable>;
export type ItemImageRow = Selectable<ItemImagesTable>;
export type AnnotationRow = Selectable<AnnotationsTable>;
export type ModelRow = Selectable<ModelsTable>;
export type StationRow = Selectable<StationsTable>;
export type StationFileRow = Selectable<StationFilesTable>;
export type FtpUploadRow = Selectable<FtpUploadsTable>;
export type RetentionRuleRow = Selectable<RetentionRulesTable>;
export type RetentionRunRow = Selectable<RetentionRunsTable>;
export type AuditRow = Selectable<AuditTable>;

export interface ClientsTable {
  client_id: string;
  name: string;
  /** SHA-256 of a secret that Kensa generated; argon2id, PHC string, of one that was chosen. */
  secret_hash: string;
  created_at: string;
  revoked_at: string | null;
  scope: Scope;
}

export interface UsersTable {
  user_id: string;
  name: string;
  /** The name as sign-in compares it, see `fold-name.ts`. */
  folded_name: string;
  role: Role;
  /** argon2id, PHC string; null: this person signs in elsewhere, or not yet. */
  password_hash: string | null;
  pin_hash: string | null;
  /** Wrong PINs since the last right one. */
  pin_failures: number;
  /** Issuer and subject of single sign-on. */
  subject: string | null;
  created_at: string;
  disabled_at: string | null;
}

/** A browser in which a person or a client is signed in. */
export interface SessionsTable {
  /** SHA-256 of what the cookie holds. */
  session_hash: string;
  account_kind: 'user' | 'client';
  account_id: string;
  /** Fingerprint of the password or secret: another one ends the session. */
  fingerprint: string;
  method: 'password' | 'sso' | 'pin';
  created_at: string;
  expires_at: string;
  /** Single sign-on: what the provider gave, and when to ask it again. */
  id_token: string | null;
  refresh_token: string | null;
  check_at: string | null;
  /** Of the shared terminal at which it began. */
  terminal_hash: string | null;
}

/** A browser at which people may change by PIN. */
export interface TerminalsTable {
  /** SHA-256 of what the cookie holds. */
  terminal_hash: string;
  name: string;
  created_at: string;
  /** Of the browser, at the last sign-in there. */
  address: string | null;
  used_at: string | null;
}

/** One act. Rows are never changed; the database refuses it. */
export interface AuditTable {
  /** 1, 2, 3, … without a gap. */
  seq: number;
  at: string;
  caller_kind: Caller['kind'];
  caller_id: string | null;
  caller_name: string;
  act: string;
  target_id: string | null;
  /** JSON. */
  details: string;
  reason: string | null;
  /** SHA-256 over the row and the hash of the row before, see `audit-chain.ts`. */
  hash: string;
}

export interface TargetsTable {
  target_id: Generated<number>;
  name: string;
  /** JSON: the contract's Preprocessing[]. */
  preprocessing: string;
  /** 1 for exactly one row. */
  is_default: number;
  /** JSON: blobs of the reference images of the steps, by item id, so that they outlive their items. */
  step_references: string;
  created_at: string;
  updated_at: string;
}

/** A place where products are inspected. */
export interface StationsTable {
  station_id: string;
  name: string;
  enabled: number;
  target_id: number;
  /** May name a model that was deleted meanwhile. */
  model_id: string | null;
  /** JSON: where its images come from. */
  source: string;
  /** Regular expression with named groups for the names of its files. */
  name_pattern: string | null;
  /** JSON: where its verdicts go. */
  outputs: string;
  retention_id: string | null;
  created_at: string;
  updated_at: string;
}

/** A file of a watched folder that was taken, or that cannot be read. */
export interface StationFilesTable {
  station_id: string;
  /** Below the folder, with forward slashes. */
  path: string;
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** SHA-256 of its bytes. */
  hash: string;
  /** Null: it cannot be read. */
  item_id: string | null;
  /** JSON: why it cannot be read. */
  problem: string | null;
  seen_at: string;
}

export interface FtpLoginsTable {
  station_id: string;
  user_name: string;
  /** SHA-256; argon2id, PHC string, of an earlier release. */
  secret_hash: string;
  created_at: string;
}

/** An item that an FTP client may not know to be stored, or is going to rename. */
export interface FtpUploadsTable {
  item_id: string;
  station_id: string;
  path: string;
  /** SHA-256 of its bytes. */
  hash: string;
  /** 1: its prediction waits until the client has renamed it. */
  awaits_name: number;
  created_at: string;
}

/** The server that serves the source of a station, where several share a database. */
export interface StationLeasesTable {
  station_id: string;
  holder: string;
  /** Seconds since 1970, by the clock of the database. */
  until: number;
  /** JSON: the state of the source, for the other servers. */
  state: string;
}

/** After how many days images and records go. Null: they stay. */
export interface RetentionRulesTable {
  retention_id: string;
  name: string;
  /** 1: for every item whose station names no rule; at most one rule. */
  everywhere: number;
  ok_days: number | null;
  ng_days: number | null;
  unjudged_days: number | null;
  record_days: number | null;
  keep_thumbnails: number;
  /** JSON: the verdicts whose images go when the disk is short, in this order. */
  when_short: string;
  created_at: string;
  updated_at: string;
}

/** Items that retention and people may not delete. */
export interface HoldsTable {
  hold_id: string;
  reason: string;
  /** JSON: HoldFilter, for items that come later, too; null: the items in `held_items`. */
  filter: string | null;
  created_at: string;
}

export interface RetentionRunsTable {
  run_id: string;
  cause: 'daily' | 'space' | 'request';
  status: 'waiting' | 'running' | 'done' | 'failed';
  /** Ages are counted up to this moment. */
  started_at: string;
  ended_at: string | null;
  /** Items that lost their images and keep their record. */
  items: number;
  /** Images that went, with records or without. */
  images: number;
  records: number;
  /** Size of these images' files. */
  bytes: number;
  /** JSON: the same by reason and verdict. */
  removed: string;
  free_before: number | null;
  free_after: number | null;
  status_text: string | null;
}

export interface ItemsTable {
  /** Order of arrival; pages are cut along it. */
  seq: Generated<number>;
  item_id: string;
  name: string;
  status: 'pending' | 'queued' | 'processing' | 'done' | 'failed';
  /** Why the last prediction failed, or what its preprocessing could not do. */
  status_text: string | null;
  /**
   * Of several predictions at a time, the model that was asked last; `failed` once its prediction failed. Null where at
   * most one prediction is under way.
   */
  latest_model_id: string | null;
  active: number;
  is_training: number;
  user_result: 'OK' | 'NG' | null;
  user_label: string | null;
  user_assessed_at: string | null;
  created_at: string;
  serial: string | null;
  lot: string | null;
  station_id: string | null;
  /** The product that it is one of. */
  target_id: Generated<number>;
  /** JSON: what else is known of it, text by name; null without any. */
  fields: string | null;
  /** Where its file is in the watched folder that it came from, with forward slashes; null for other sources. */
  source_path: Generated<string | null>;
  /** When retention removed its images; their rows stay. Null while they are there. */
  images_removed_at: Generated<string | null>;
  /** 1 where small versions of the removed images are in `thumbnails`. */
  thumbnails_kept: Generated<number>;
  /** The name as searches compare it, see `fold-name.ts`. */
  folded_name: Generated<string>;
  /** Verdicts of all models, bits: 1 OK, 2 NG. Kept by triggers. */
  verdicts: ColumnType<number, never, never>;
  /** The first verdict of a model, which stays where the model inspects again or is deleted. Kept by a trigger. */
  first_result: Generated<'OK' | 'NG' | null>;
  first_assessed_at: Generated<string | null>;
  /** Type and verdicts in one number, by which lists filter; see `kept-counts.ts`. Computed by the database. */
  list_kind: ColumnType<number, never, never>;
}

export interface ItemImagesTable {
  item_id: string;
  position: number;
  name: string;
  blob: string;
  format: string;
  width: number;
  height: number;
  file_size: number;
}

/** Regions that a person drew. Those of models are kept with their assessment. */
export interface AnnotationsTable {
  annotation_id: Generated<number>;
  item_id: string;
  /** Name of the image; null: the first. */
  image: string | null;
  x_min: number;
  y_min: number;
  x_max: number;
  y_max: number;
  label: number | null;
  notes: string | null;
  created_at: string;
}

export type ModelStatus = 'queued' | 'training' | 'ready' | 'failed' | 'cancelled';

export interface ModelsTable {
  seq: Generated<number>;
  model_id: string;
  name: string;
  algorithm_id: string;
  algorithm_type: string;
  version: number;
  /** target_id in force at training. */
  context_id: number;
  status: ModelStatus;
  status_text: string;
  /** 1 for at most one ready model of each target. */
  active: number;
  /** JSON: parameter values by name. */
  params: string;
  /** JSON: the active steps of the target as they were at training. */
  steps: string;
  /** JSON: blobs of the reference images of the steps, by key. */
  step_references: string;
  seed: number;
  /** Blob of the image that stands for the model. */
  image_blob: string | null;
  ok_img_count: number;
  ng_img_count: number;
  training_time: number | null;
  accuracy: number | null;
  precision: number | null;
  recall: number | null;
  /** JSON: Calibration. */
  calibration: string | null;
  model_blob: string | null;
  backbone_id: string | null;
  backbone_blob: string | null;
  /** JSON: BackboneDescription. */
  backbone_description: string | null;
  threshold: number;
  ignore_outer: string;
  min_detected_area: number;
  /** JSON: Refinement, where the model was refined from another one. */
  refinement: string | null;
  callback_url: string | null;
  callback_method: 'post' | 'get' | null;
  created_at: string;
  updated_at: string;
}

/** A verdict of one model on an item or on one of its images. */
interface VerdictColumns {
  item_id: string;
  model_id: string;
  result: 'OK' | 'NG';
  label: string;
  /** Six decimals, as answered. */
  anomaly_score: string;
  raw_score: number;
  detected_objects: number;
  detection_accuracy: number;
  duration_ms: number;
}

/** One verdict of one model on one item; a new prediction replaces it. */
export interface AssessmentsTable extends VerdictColumns {
  seq: Generated<number>;
  threshold: number;
  predicted_at: string;
  /** Copies from the item, for lists of one model's verdicts. Kept by triggers. */
  item_seq: ColumnType<number | null, never, never>;
  /** The product of the item. */
  item_target: ColumnType<number | null, never, never>;
  list_kind: ColumnType<number | null, never, never>;
}

export interface AssessmentImagesTable extends VerdictColumns {
  position: number;
  defect_area: number;
  /** JSON: regions in pixels of the original. */
  regions: string;
  /** The name in its link: a hash of image and anomaly map. Rows of earlier releases have a blob here, and no map. */
  heatmap_id: string | null;
  heatmap_width: number | null;
  heatmap_height: number | null;
  /** Size of the blob of earlier releases. */
  heatmap_size: number | null;
  /** The anomaly map over the image, from which its heatmap is drawn. */
  score_layer: Buffer | null;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

/** The outbox: one callback of one verdict, written in the transaction that stores the verdict. */
export interface DeliveriesTable {
  /** UUIDv7, so that the order of ids is the order of arrival. */
  delivery_id: string;
  /** The model whose callback it is; empty where it is a station's. */
  model_id: string;
  station_id: string | null;
  /** Kind of the station's output. */
  output: string | null;
  item_id: string;
  status: DeliveryStatus;
  attempts: number;
  /** JSON: the item as it was at the verdict, with this model's assessment only, and the URL that it is for; empty once delivered. */
  snapshot: string;
  last_status: number | null;
  last_error: string | null;
  last_tried_at: string | null;
  next_try_at: string | null;
  created_at: string;
}

/** Background work that waits, runs or has failed for good; a job that succeeded has no row. */
export interface JobsTable {
  id: Generated<number>;
  kind: string;
  /** Its queue. */
  lane: string;
  payload: string;
  /** At most one open job has a given key. */
  key: string | null;
  priority: number;
  /** ISO 8601; null: as soon as possible. */
  run_at: string | null;
  /** Counted when a job is claimed, so that a job that kills its process is counted too. */
  attempts: Generated<number>;
  /** Written for earlier versions. */
  max_attempts: number;
  locked_by: string | null;
  last_error: string | null;
  failed_at: string | null;
  created_at: ColumnType<string, string, never>;
}

/** The number of rows of each kind. Triggers keep it; on PostgreSQL several rows of one key add up. */
export interface CountsTable {
  /** `items`: every item; `images`: every image; else a model_id: the items that it assessed. */
  scope: string;
  /** See `kept-counts.ts`; 0 for images. */
  list_kind: number;
  count: number;
  /** Size of the images' files, else 0. */
  bytes: number;
}
