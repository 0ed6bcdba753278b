import { ProtobufWriter } from './protobuf-writer.ts';

/** Operators of the runtime itself. */
export const RUNTIME_DOMAIN = 'com.microsoft';

/** Attribute values by JavaScript type; `{ float }` where a whole number must be written as a float. */
export type OnnxAttribute = number | string | readonly number[] | { readonly float: number };

export interface OnnxNode {
  readonly op: string;
  /** Absent: ONNX's own operators. */
  readonly domain?: typeof RUNTIME_DOMAIN;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, OnnxAttribute>>;
}

export interface OnnxConstant {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: Float32Array | BigInt64Array | Int8Array | Uint8Array;
}

/** A constant of whole numbers, such as a shape. */
export const integerConstant = (name: string, ...values: number[]): OnnxConstant => ({
  name,
  dims: [values.length],
  data: BigInt64Array.from(values, BigInt),
});

/** A tensor; a text names a size that is known only at run time. */
export interface OnnxValue {
  readonly name: string;
  /** Absent: float32. */
  readonly type?: 'uint8';
  readonly dims: readonly (number | string)[];
}

/** Nodes and constants that can be put together with others into one graph. */
export interface OnnxPart {
  readonly nodes: readonly OnnxNode[];
  readonly constants: readonly OnnxConstant[];
}

export interface OnnxGraph extends OnnxPart {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

const IR_VERSION = 8;
// Reductions still take their axes as an attribute here, and Resize has half-pixel coordinates.
const OPSET = 13;
const [FLOAT, UINT8, INT8, INT64] = [1, 2, 3, 7];

function elementType(data: OnnxConstant['data']): number {
  if (data instanceof Float32Array) return FLOAT;
  if (data instanceof Uint8Array) return UINT8;
  return data instanceof Int8Array ? INT8 : INT64;
}

function attributeMessage(name: string, value: OnnxAttribute): ProtobufWriter {
  const message = new ProtobufWriter().text(1, name);
  if (typeof value === 'number') return message.integer(3, value).integer(20, 2);
  if (typeof value === 'string') return message.text(4, value).integer(20, 3);
  if ('float' in value) return message.float(2, value.float).integer(20, 1);
  for (const entry of value) message.integer(8, entry);
  return message.integer(20, 7);
}

function nodeMessage(node: OnnxNode): ProtobufWriter {
  const message = new ProtobufWriter();
  for (const input of node.inputs) message.text(1, input);
  for (const output of node.outputs) message.text(2, output);
  message.text(4, node.op);
  if (node.domain) message.text(7, node.domain);
  for (const [name, value] of Object.entries(node.attributes ?? {})) message.message(5, attributeMessage(name, value));
  return message;
}

function constantMessage({ name, dims, data }: OnnxConstant): ProtobufWriter {
  const message = new ProtobufWriter();
  for (const dim of dims) message.integer(1, dim);
  return message
    .integer(2, elementType(data))
    .text(8, name)
    .bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

function valueMessage({ name, type, dims }: OnnxValue): ProtobufWriter {
  const shape = new ProtobufWriter();
  for (const dim of dims) {
    const entry = new ProtobufWriter();
    shape.message(1, typeof dim === 'number' ? entry.integer(1, dim) : entry.text(2, dim));
  }
  const tensor = new ProtobufWriter().integer(1, type === 'uint8' ? UINT8 : FLOAT).message(2, shape);
  return new ProtobufWriter().text(1, name).message(2, new ProtobufWriter().message(1, tensor));
}

/** Bytes of an ONNX file (ModelProto) with the graph, for the runtime to load from memory. Nodes in order of execution. */
export function encodeOnnxModel(graph: OnnxGraph): Uint8Array {
  const message = new ProtobufWriter();
  for (const node of graph.nodes) message.message(1, nodeMessage(node));
  message.text(2, 'kensa');
  for (const constant of graph.constants) message.message(5, constantMessage(constant));
  for (const input of graph.inputs) message.message(11, valueMessage(input));
  for (const output of graph.outputs) message.message(12, valueMessage(output));
  return new ProtobufWriter()
    .integer(1, IR_VERSION)
    .text(2, 'kensa')
    .message(7, message)
    .message(8, new ProtobufWriter().text(1, '').integer(2, OPSET))
    .message(8, new ProtobufWriter().text(1, RUNTIME_DOMAIN).integer(2, 1))
    .finish();
}
