import { readFileSync } from 'node:fs';

/** Instructions that multiply and add 8-bit numbers in one step, as Linux names them: without them 8 bits are no faster, and sums may saturate. */
const DOT_PRODUCTS = /\b(avx512_vnni|avx_vnni)\b/;

function readProcessor(): string {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    return '';
  }
}

/** Whether the 8-bit network is the faster one here. Known on Linux; elsewhere the answer is no. */
export function prefersEightBits(processor = readProcessor()): boolean {
  const flags = /^flags\s*:.*$/m.exec(processor)?.[0] ?? '';
  return DOT_PRODUCTS.test(flags);
}
