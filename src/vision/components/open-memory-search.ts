import type { Matrix } from '../onnx/open-matrix-product.ts';
import { nearestCandidatesPart } from './nearest-candidates-part.ts';
import type { PatchMemory } from './nearest-neighbours-part.ts';
import { type NearestNeighbours, openDistances, openNearestNeighbours } from './open-nearest-neighbours.ts';
import { takeRows } from './select-coreset.ts';

/** From so many members on it pays to look for candidates first. */
const MANY = 512;
const SAMPLE = 256;
/** How much farther than the nearest members the nearest candidates may be, on average. */
const FARTHER = 1.001;

const candidatesFor = (neighbours: number): number => 2 * neighbours + 2;

function openCandidates(memory: PatchMemory, search: { neighbours: number; count: number }, threads: number) {
  return openDistances(nearestCandidatesPart('queries', memory, search, 'result'), memory.bank.columns, threads);
}

const sum = (values: Float32Array): number => values.reduce((total, value) => total + value, 0);

/**
 * Whether the nearest candidates are as near as the nearest members, tried on members themselves: each is its own
 * nearest one, and the next are about as far as good patches are. They are not where members lie closer together than
 * 8 bits can tell.
 */
async function candidatesSuffice(memory: PatchMemory, neighbours: number, threads: number): Promise<boolean> {
  const every = Math.ceil(memory.bank.rows / SAMPLE);
  const sample = Uint32Array.from({ length: Math.floor(memory.bank.rows / every) }, (_, index) => index * every);
  const queries: Matrix = takeRows(memory.bank, sample);
  const exact = await openNearestNeighbours(memory, neighbours + 1, threads);
  const count = candidatesFor(neighbours) + 1;
  const fast = await openCandidates(memory, { neighbours: neighbours + 1, count }, threads);
  try {
    return sum(await fast.distances(queries)) <= FARTHER * sum(await exact.distances(queries));
  } finally {
    await Promise.all([exact.dispose(), fast.dispose()]);
  }
}

/**
 * Search in a memory of any size that many patches go through: exact distances, averaged over the `neighbours` nearest;
 * of a large memory over the nearest of some candidates, where those have shown to be the same for nearly every patch.
 */
export async function openMemorySearch(memory: PatchMemory, neighbours = 1, threads = 1): Promise<NearestNeighbours> {
  if (memory.bank.rows < MANY || !(await candidatesSuffice(memory, neighbours, threads)))
    return openNearestNeighbours(memory, neighbours, threads);
  return openCandidates(memory, { neighbours, count: candidatesFor(neighbours) }, threads);
}
