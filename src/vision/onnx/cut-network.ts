import { valueMessage } from './graph-builder.ts';
import { embedded, type Field, readFields } from './wire-format.ts';

/** Numbers of fields in ModelProto, GraphProto and NodeProto. */
const GRAPH = 7;
const [OPERATOR, GRAPH_OUTPUT] = [1, 12];
const OPERATOR_OUTPUT = 2;

function cutGraph(graph: Uint8Array, tensor: string): Uint8Array {
  const fields = readFields(graph);
  const isTensor = ({ number, content }: Field): boolean =>
    number === OPERATOR_OUTPUT && Buffer.from(content).toString() === tensor;
  const last = fields.findIndex(({ number, content }) => number === OPERATOR && readFields(content).some(isTensor));
  if (last < 0) return graph;
  // Operators are listed in the order of execution: those after the last one are not needed.
  const kept = fields.filter(({ number }, index) => number !== GRAPH_OUTPUT && (number !== OPERATOR || index <= last));
  return Buffer.concat([...kept.map(({ bytes }) => bytes), ...embedded(GRAPH_OUTPUT, valueMessage(tensor))]);
}

/**
 * The bytes of an ONNX network that ends at one of its tensors of floats, which is then its only output: no time goes
 * into what would come after it.
 * @returns a network with the same outputs where it has no such tensor
 */
export function cutNetwork(onnx: Uint8Array, tensor: string): Uint8Array {
  const parts = readFields(onnx).flatMap(({ number, bytes, content }) =>
    number === GRAPH ? embedded(GRAPH, [cutGraph(content, tensor)]) : [bytes],
  );
  return Buffer.concat(parts);
}
