// Runs a network once in onnxruntime and writes each output's floats; with `--time` prints milliseconds an image instead.
// node run-network.mjs NETWORK.onnx INPUT FOLDER N C H W     or     node run-network.mjs NETWORK.onnx --time [SIDE]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ort from 'onnxruntime-node';

const [network, source, ...rest] = process.argv.slice(2);
const session = await ort.InferenceSession.create(network, { intraOpNumThreads: 1, interOpNumThreads: 1 });
const input = session.inputNames[0];

function waves(side) {
  if (session.inputMetadata[0].type === 'uint8') {
    const bytes = Uint8Array.from({ length: 4 * side * side }, (_, i) => (i % 4 < 3 ? 128 + Math.sin(i * 0.37) * 100 : 255));
    return new ort.Tensor('uint8', bytes, [1, side, side, 4]);
  }
  const planes = Float32Array.from({ length: 3 * side * side }, (_, i) => Math.sin(i * 0.37) * 2);
  return new ort.Tensor('float32', planes, [1, 3, side, side]);
}

async function time(side) {
  const image = waves(side);
  const times = [];
  for (let run = 0; run < 40; run++) {
    const start = process.cpuUsage();
    await session.run({ [input]: image });
    const used = process.cpuUsage(start);
    times.push((used.user + used.system) / 1000);
  }
  times.sort((a, b) => a - b);
  console.log(`median ${times[20].toFixed(2)} ms, fastest ${times[0].toFixed(2)} ms of one core at ${side}x${side}`);
}

async function answer(folder, shape) {
  const bytes = readFileSync(source);
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const outputs = await session.run({ [input]: new ort.Tensor('float32', values, shape) });
  for (const [i, name] of session.outputNames.entries()) {
    writeFileSync(join(folder, `output-${i}`), new Uint8Array(outputs[name].data.buffer));
  }
}

if (source === '--time') await time(Number(rest[0] ?? 256));
else await answer(rest[0], rest.slice(1).map(Number));
