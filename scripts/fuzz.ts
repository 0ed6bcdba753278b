// `npm run fuzz [-- inputs [seed [target]]]`: feeds each parser that many mutated inputs (a million where not given).
import { fuzz } from '../test/fuzz/fuzz.ts';
import { fuzzTargets } from '../test/fuzz/targets.ts';

const [inputs = '1000000', seed = '1', only] = process.argv.slice(2);
let defects = 0;
for (const target of fuzzTargets.filter(({ name }) => only === undefined || name === only)) {
  const started = performance.now();
  const report = await fuzz(target, Math.ceil(Number(inputs) / target.slowness), Number(seed));
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `${target.name}: ${report.inputs} inputs in ${seconds} s, ${report.accepted} accepted, slowest ${report.slowestMs.toFixed(0)} ms, ${report.defects.length} defects`,
  );
  for (const defect of report.defects) console.log(`  ${defect}`);
  defects += report.defects.length;
}
process.exitCode = defects === 0 ? 0 : 1;
