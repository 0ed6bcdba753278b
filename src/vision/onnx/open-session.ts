import { InferenceSession } from 'onnxruntime-node';
import { encodeOnnxModel, type OnnxGraph } from './onnx-model.ts';

/**
 * Session on one thread unless more are asked for. Predictions always run on one, side by side in more processes;
 * the operators that we use split their work between outputs, never within a sum, so that training may take more
 * threads without a bit of the result changing (a test holds them to it).
 */
export function openSession(model: OnnxGraph | Uint8Array, threads = 1): Promise<InferenceSession> {
  const bytes = model instanceof Uint8Array ? model : encodeOnnxModel(model);
  return InferenceSession.create(bytes, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    // Waiting threads must not take the other processes' cores.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
}
