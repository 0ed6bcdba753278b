import { embedded, float, integer, type Message, text } from './wire-format.ts';

/** Values by JavaScript type; `{ float }` where a whole number must be written as a float. */
export type Attributes = Readonly<Record<string, number | string | readonly number[] | { readonly float: number }>>;
type ConstantData = Float32Array | BigInt64Array | Int8Array | Uint8Array;

/** A tensor of the graph: an input, a constant, or the result of an operator. */
export interface GraphValue {
  name: string;
}

/** An optional input that is omitted is undefined. */
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

function attributeMessage(name: string, value: Attributes[string]): Message {
  const named = text(1, name);
  if (typeof value === 'number') return [...named, ...integer(3, value), ...integer(20, 2)];
  if (typeof value === 'string') return [...named, ...text(4, value), ...integer(20, 3)];
  if ('float' in value) return [...named, ...float(2, value.float), ...integer(20, 1)];
  return [...named, ...value.flatMap((entry) => integer(8, entry)), ...integer(20, 7)];
}

/** A value's name and type (ValueInfoProto). @param dims absent: the runtime finds them out */
export function valueMessage(name: string, type = FLOAT, dims?: readonly (number | string)[]): Message {
  const shape = dims?.flatMap((dim) => embedded(1, typeof dim === 'number' ? integer(1, dim) : text(2, dim)));
  const tensor = [...integer(1, type), ...(shape ? embedded(2, shape) : [])];
  return [...text(1, name), ...embedded(2, embedded(1, tensor))];
}

/** Builds an ONNX network in memory, operator by operator in the order of execution. */
export class GraphBuilder {
  readonly #nodes: { operator: string; inputs: Inputs; outputs: readonly GraphValue[]; attributes: Attributes }[] = [];
  readonly #constants: { value: GraphValue; data: ConstantData; dims: readonly number[] }[] = [];
  readonly #inputs: Message[] = [];
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
    const nodes = this.#nodes.flatMap(({ operator, inputs, outputs, attributes }) =>
      embedded(1, [
        ...inputs.flatMap((input) => text(1, input?.name ?? '')),
        ...outputs.flatMap(({ name }) => text(2, name)),
        ...text(4, operator),
        ...(RUNTIME_OPERATORS.includes(operator) ? text(7, RUNTIME_DOMAIN) : []),
        ...Object.entries(attributes).flatMap(([name, value]) => embedded(5, attributeMessage(name, value))),
      ]),
    );
    const constants = this.#constants.flatMap(({ value, data, dims }) =>
      embedded(5, [
        ...dims.flatMap((dim) => integer(1, dim)),
        ...integer(2, elementType(data)),
        ...text(8, value.name),
        ...embedded(9, [new Uint8Array(data.buffer, data.byteOffset, data.byteLength)]),
      ]),
    );
    const inputs = this.#inputs.flatMap((input) => embedded(11, input));
    const outputs = this.#outputs.flatMap((output) => embedded(12, valueMessage(output)));
    const graph = [...nodes, ...text(2, 'kensa'), ...constants, ...inputs, ...outputs];
    return Buffer.concat([
      ...integer(1, IR_VERSION),
      ...text(2, 'kensa'),
      ...embedded(7, graph),
      ...embedded(8, [...text(1, ''), ...integer(2, OPSET)]),
      ...embedded(8, [...text(1, RUNTIME_DOMAIN), ...integer(2, 1)]),
    ]);
  }
}
