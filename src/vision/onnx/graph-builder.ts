import { ProtobufWriter } from './protobuf-writer.ts';

/** Values by JavaScript type; `{ float }` where a whole number must be written as a float. */
export type Attributes = Readonly<Record<string, number | string | readonly number[] | { readonly float: number }>>;
type ConstantData = Float32Array | BigInt64Array | Int8Array | Uint8Array;

/** A tensor of the graph: an input, a constant, or the result of an operator. */
export interface GraphValue {
  name: string;
}

/** An optional input that is left out is undefined. */
type Inputs = readonly (GraphValue | undefined)[];

const IR_VERSION = 8;
/** Reductions still take their axes as an attribute here, and Resize has half-pixel coordinates. */
const OPSET = 13;
/** Operators of the runtime itself. */
const RUNTIME_DOMAIN = 'com.microsoft';
const RUNTIME_OPERATORS = ['FusedMatMul', 'MatMulIntegerToFloat'];
const [FLOAT, UINT8, INT8, INT64] = [1, 2, 3, 7];

function elementType(data: ConstantData): number {
  if (data instanceof Float32Array) return FLOAT;
  if (data instanceof Uint8Array) return UINT8;
  return data instanceof Int8Array ? INT8 : INT64;
}

function attributeMessage(name: string, value: Attributes[string]): ProtobufWriter {
  const message = new ProtobufWriter().text(1, name);
  if (typeof value === 'number') return message.integer(3, value).integer(20, 2);
  if (typeof value === 'string') return message.text(4, value).integer(20, 3);
  if ('float' in value) return message.float(2, value.float).integer(20, 1);
  for (const entry of value) message.integer(8, entry);
  return message.integer(20, 7);
}

/** A value's name and type. @param dims absent: the runtime finds them out */
function valueMessage(name: string, type = FLOAT, dims?: readonly (number | string)[]): ProtobufWriter {
  const tensor = new ProtobufWriter().integer(1, type);
  if (dims) {
    const shape = new ProtobufWriter();
    for (const dim of dims) {
      const entry = new ProtobufWriter();
      shape.message(1, typeof dim === 'number' ? entry.integer(1, dim) : entry.text(2, dim));
    }
    tensor.message(2, shape);
  }
  return new ProtobufWriter().text(1, name).message(2, new ProtobufWriter().message(1, tensor));
}

/** Builds an ONNX network in memory, operator by operator in the order of execution. */
export class GraphBuilder {
  readonly #nodes: { operator: string; inputs: Inputs; outputs: readonly GraphValue[]; attributes: Attributes }[] = [];
  readonly #constants: { value: GraphValue; data: ConstantData; dims: readonly number[] }[] = [];
  readonly #inputs: ProtobufWriter[] = [];
  readonly #outputs: string[] = [];
  #values = 0;

  #newValue(): GraphValue {
    return { name: `value_${this.#values++}` };
  }

  /** @param dims a text names a size that is known only at run time */
  input(name: string, dims: readonly (number | string)[], type: 'float32' | 'uint8' = 'float32'): GraphValue {
    this.#inputs.push(valueMessage(name, type === 'uint8' ? UINT8 : FLOAT, dims));
    return { name };
  }

  constant(data: ConstantData, dims: readonly number[] = [data.length]): GraphValue {
    const value = this.#newValue();
    this.#constants.push({ value, data, dims });
    return value;
  }

  /** A constant vector of 64-bit whole numbers, such as a shape. */
  integers(...values: number[]): GraphValue {
    return this.constant(BigInt64Array.from(values, BigInt));
  }

  /** Adds an operator with one result. */
  add(operator: string, inputs: Inputs, attributes: Attributes = {}): GraphValue {
    return this.addSplit(operator, inputs, 1, attributes)[0]!;
  }

  /** Adds an operator with `count` results. */
  addSplit(operator: string, inputs: Inputs, count: number, attributes: Attributes = {}): GraphValue[] {
    const outputs = Array.from({ length: count }, () => this.#newValue());
    this.#nodes.push({ operator, inputs, outputs, attributes });
    return outputs;
  }

  /** Makes the result of an operator an output of the network, of floats. */
  output(name: string, value: GraphValue): void {
    value.name = name;
    this.#outputs.push(name);
  }

  /** Bytes of an ONNX file (ModelProto) for the runtime to load from memory. */
  encode(): Uint8Array {
    const graph = new ProtobufWriter();
    for (const { operator, inputs, outputs, attributes } of this.#nodes) {
      const node = new ProtobufWriter();
      for (const input of inputs) node.text(1, input?.name ?? '');
      for (const output of outputs) node.text(2, output.name);
      node.text(4, operator);
      if (RUNTIME_OPERATORS.includes(operator)) node.text(7, RUNTIME_DOMAIN);
      for (const [name, value] of Object.entries(attributes)) node.message(5, attributeMessage(name, value));
      graph.message(1, node);
    }
    graph.text(2, 'kensa');
    for (const { value, data, dims } of this.#constants) {
      const tensor = new ProtobufWriter();
      for (const dim of dims) tensor.integer(1, dim);
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      graph.message(5, tensor.integer(2, elementType(data)).text(8, value.name).bytes(9, bytes));
    }
    for (const input of this.#inputs) graph.message(11, input);
    for (const output of this.#outputs) graph.message(12, valueMessage(output));
    return new ProtobufWriter()
      .integer(1, IR_VERSION)
      .text(2, 'kensa')
      .message(7, graph)
      .message(8, new ProtobufWriter().text(1, '').integer(2, OPSET))
      .message(8, new ProtobufWriter().text(1, RUNTIME_DOMAIN).integer(2, 1))
      .finish();
  }
}
