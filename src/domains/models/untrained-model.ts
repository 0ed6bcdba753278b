import { say, storeMessages } from '../../messages/message.ts';
/** Of a model that waits for its training: what only a finished one has is missing. */
export const untrainedModel = {
  status: 'queued' as const,
  status_text: storeMessages([say('status.waiting')]),
  active: 0,
  image_blob: null,
  training_time: null,
  accuracy: null,
  precision: null,
  recall: null,
  calibration: null,
  model_blob: null,
  backbone_id: null,
  backbone_blob: null,
  backbone_description: null,
  callback_url: null,
  callback_method: null,
};
