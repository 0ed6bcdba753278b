import { InferenceSession } from 'onnxruntime-node';
import { encodeOnnxModel, type OnnxGraph } from './onnx-model.ts';

/**
 * Session on one thread: sums are then always taken in the same order, so that results are the same to the last bit
 * whatever else the machine does. Parallel work runs in more processes instead.
 */
export function openSession(model: OnnxGraph | Uint8Array): Promise<InferenceSession> {
  const bytes = model instanceof Uint8Array ? model : encodeOnnxModel(model);
  return InferenceSession.create(bytes, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
  });
}
