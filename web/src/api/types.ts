/** Shapes of the API as the page reads them. */
export type Verdict = 'OK' | 'NG';

export interface ItemImage {
  url: string;
  name: string;
  width: number;
  height: number;
  file_size: number;
  thumbnail_url?: string;
}

export interface Annotation {
  annotation_id?: number;
  x_min: number;
  x_max: number;
  y_min: number;
  y_max: number;
  label?: number | null;
  defect_size?: number | null;
  notes?: string | null;
  image?: string;
  created_at?: string;
}

export interface ModelAssessment {
  model_id: string;
  result: Verdict;
  label: string;
  anomaly_score: string;
  detected_objects?: number | null;
  detection_accuracy?: number | null;
  annotations?: Annotation[];
  images?: ItemImage[];
  threshold?: number;
  predicted_at?: string;
}

export interface UserAssessment {
  result: Verdict;
  label: string;
  annotations?: Annotation[];
}

export interface Item {
  item_id: string;
  name: string;
  status: 'pending' | 'queued' | 'processing' | 'done' | 'failed';
  status_text?: string | null;
  active: boolean;
  is_training_data: boolean;
  images: ItemImage[];
  user_assessment?: UserAssessment;
  assessments?: ModelAssessment[];
  created_at?: string;
}

export interface ItemPage {
  current_page: number;
  end_page: number;
  count_per_page: number;
  total: number;
  items: Item[];
}

export interface PredictParameters {
  threshold: number;
  ignore_outer: string;
  min_detected_area: number;
}

interface ProjectedAndComputed {
  projected?: number | null;
  computed?: number | null;
}

export type ModelStatus = 'queued' | 'training' | 'ready' | 'failed' | 'cancelled';

export interface Model {
  model_id: string;
  name: string;
  algorithm_id: string;
  algorithm_type: string;
  version: string;
  context_id: number;
  status: ModelStatus;
  status_text?: string | null;
  active?: boolean | null;
  image_url?: string | null;
  ok_img_count: number;
  ng_img_count: number;
  training_time?: number | null;
  stats?: { accuracy?: number | null; precision?: ProjectedAndComputed; recall?: ProjectedAndComputed };
  created_at: string;
  updated_at: string;
  predict_parameters?: PredictParameters;
}

export interface AlgorithmParameter {
  algorithm_parameter_id: number;
  name: string;
  display_name?: string | null;
  data_type: 'int' | 'float' | 'bool' | 'string' | 'enum';
  value?: string | null;
  range_lower?: string | null;
  range_upper?: string | null;
  model_parameter?: boolean | null;
  help?: string;
}

export interface Algorithm {
  algorithm_id: string;
  name: string;
  type: 'anomaly_detection' | 'classification' | 'object_detection';
  attribute: 'unsupervised' | 'supervised';
  version?: string | null;
  parameters: AlgorithmParameter[];
}

export interface Label {
  label: number;
  name: string;
}

export interface Preprocessing {
  name: string;
  active?: boolean | null;
  config?: string | null;
}

export interface Target {
  target_id: number;
  name: string;
  preprocessing: Preprocessing[];
  is_default?: boolean;
}

export interface Overview {
  active_model: Model | null;
  training: { good: number; ng: number; unjudged: number };
  inspected: {
    items: number;
    assessed: number;
    judged: number;
    ng_unjudged: number;
    disagreements: number;
    failed: number;
  };
  recent: { ok: number; ng: number };
  queue: { waiting: number; running: number };
  last_verdicts: Item[];
}

export interface ScoredItem {
  item_id: string;
  name: string;
  score: number;
  result: Verdict;
  user_result: Verdict | null;
  thumbnail_url: string | null;
}

export interface ModelScores {
  threshold: number;
  held_out: { good: number[]; ng: number[] };
  items: ScoredItem[];
  total: number;
}

export interface Readiness {
  good: number;
  ng: number;
  unjudged: number;
  images: number;
  supported_false_alarm_rate: number | null;
  oddities: { kind: 'size' | 'duplicate' | 'contradiction'; item_id: string; name: string; other: string }[];
}

export interface ServerStatus {
  version: string;
  node_version: string;
  platform: string;
  database: string;
  started_at: string;
  memory_mb: number;
  workers: number;
  queue: { kind: string; waiting: number; running: number; failed: number }[];
  items: number;
  images: number;
  image_bytes: number;
  models: number;
}
