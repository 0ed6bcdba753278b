import type { components, operations } from './generated/openapi.ts';

export type Schemas = components['schemas'];

/**
 * A shape with fields that are known more closely than the document says. Only what fits the document compiles: a field
 * that it lacks, or holds something else in, is an error here.
 */
type Narrow<Theirs, Ours extends { [K in keyof Ours]: K extends keyof Theirs ? Theirs[K] : never }> = Omit<
  Theirs,
  keyof Ours
> &
  Readonly<Ours>;
type Sure<Theirs, Names extends keyof Theirs> = Omit<Theirs, Names> & {
  [K in Names]-?: Exclude<Theirs[K], undefined>;
};

export type Verdict = 'OK' | 'NG';

/** A heatmap's size in bytes is not known before somebody looks at it. */
export type Heatmap = Sure<Schemas['ItemImageMeta'], 'url' | 'name' | 'width' | 'height'>;
/** It has no `url` once retention has removed it. */
export type ItemImage = Sure<Schemas['ItemImageMeta'], 'name' | 'width' | 'height' | 'file_size'>;

export type Annotation = Narrow<Schemas['Annotation'], { x_min: number; x_max: number; y_min: number; y_max: number }>;
export type NewAnnotation = Schemas['NewAnnotation'];
export type ItemVerdict = Schemas['ItemVerdict'];

export type ModelAssessment = Narrow<
  Sure<Schemas['ModelAssessment'], 'model_id' | 'label' | 'anomaly_score'>,
  { result: Verdict; annotations?: Annotation[]; images?: Heatmap[] }
>;

export type UserAssessment = Narrow<
  Sure<Schemas['UserAssessment'], 'label'>,
  { result: Verdict; annotations?: Annotation[] }
>;

export type Item = Narrow<
  Sure<Schemas['Item'], 'item_id' | 'name' | 'active' | 'is_training_data'>,
  {
    status: 'pending' | 'queued' | 'processing' | 'done' | 'failed';
    images: ItemImage[];
    user_assessment?: UserAssessment;
    assessments?: ModelAssessment[];
  }
>;

export type Station = Narrow<
  Schemas['Station'],
  { state: Narrow<Schemas['StationState'], { last_item: Item | null }> }
>;

export type ItemPage = Narrow<Sure<Schemas['GetItemsResponse'], 'total'>, { items: Item[] }>;

export type ItemFilter = Readonly<Omit<operations['getItemsByType']['parameters']['query'], 'page' | 'count'>>;

export type PredictParameters = Schemas['PredictParametersInForce'];
export type ModelStatus = 'queued' | 'training' | 'ready' | 'failed' | 'cancelled';
export type Model = Narrow<Sure<Schemas['Model'], 'ok_img_count' | 'ng_img_count'>, { status: ModelStatus }>;

export type AlgorithmParameter = Narrow<
  Sure<Schemas['AlgorithmParameter'], 'algorithm_parameter_id'>,
  { data_type: 'int' | 'float' | 'bool' | 'string' | 'enum' }
>;
export type Algorithm = Narrow<
  Schemas['Algorithm'],
  {
    type: 'anomaly_detection' | 'classification' | 'object_detection';
    attribute: 'unsupervised' | 'supervised';
    parameters: AlgorithmParameter[];
  }
>;

export type NearestGood = Schemas['NearestGood'];
export type Label = Schemas['Label'];
export type Preprocessing = Schemas['Preprocessing'];
export type Target = Sure<Schemas['InspectionTarget'], 'target_id' | 'name' | 'preprocessing'>;

export type Overview = Narrow<Schemas['Overview'], { active_model: Model | null; last_verdicts: Item[] }>;

export type ScoredItem = Narrow<Schemas['ScoredItem'], { result: Verdict; user_result: Verdict | null }>;
export type ModelScores = Narrow<Schemas['ModelScores'], { items: ScoredItem[] }>;

type TrainingOddity = Narrow<
  Schemas['TrainingOddity'],
  { kind: 'size' | 'duplicate' | 'contradiction' | 'too_small' | 'too_narrow' | 'no_contrast' }
>;
export type Readiness = Narrow<Schemas['Readiness'], { oddities: TrainingOddity[] }>;
export type ServerStatus = Schemas['ServerStatus'];
export type RetentionState = Schemas['RetentionState'];
export type RetentionRule = Schemas['RetentionRule'];
export type RetentionPreview = Narrow<Schemas['RetentionPreview'], { examples: Item[] }>;
export type RetentionRun = Schemas['RetentionRun'];
export type Hold = Schemas['Hold'];

export type CallbackDelivery = Narrow<Schemas['CallbackDelivery'], { status: 'pending' | 'delivered' | 'dead' }>;
export type CallbackOverview = Narrow<Schemas['CallbackOverview'], { deliveries: CallbackDelivery[] }>;

/** A model whose training has ended well. */
export type TrainedModel = Sure<Model, 'training_time'> & { readonly status_text: string };

export type AssessedItem = Omit<Item, 'assessments' | 'status_text'> & {
  readonly status_text: string | null;
  readonly assessments: readonly Sure<ModelAssessment, 'detected_objects' | 'images'>[];
};

/** Which entries of the audit trail. */
export type AuditFilter = Omit<NonNullable<operations['exportAudit']['parameters']['query']>, 'format'>;
