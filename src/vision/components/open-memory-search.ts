import { nearestCandidatesPart } from './nearest-candidates-part.ts';
import type { PatchMemory } from './nearest-neighbours-part.ts';
import { type NearestNeighbours, openDistances, openNearestNeighbours } from './open-nearest-neighbours.ts';
import { takeRows } from './select-coreset.ts';

/** From so many members on it pays to look for candidates first. */
const MANY = 512;
const SAMPLE = 256;
/**
 * Entries of the product at a time, so that it stays in the processor's cache; and the fewest rows that keep it busy. Of 1,024 rows
 * and 16,000 members it would take 64 MB.
 */
const PRODUCT = 2 ** 19;
const FEWEST_ROWS = 64;
/** How much farther than the nearest members the nearest candidates may be, on average. */
const FARTHER = 1.001;

/** Search in a memory that many patches go through: distances averaged over the `neighbours` nearest, of its candidates if it has any. */
export function openMemorySearch(memory: PatchMemory, neighbours = 1, threads = 1): Promise<NearestNeighbours> {
  const { bank, candidates = bank.rows } = memory;
  if (candidates >= bank.rows) return openNearestNeighbours(memory, neighbours, threads);
  const part = nearestCandidatesPart('queries', { ...memory, candidates }, neighbours, 'result');
  const rowsAtOnce = Math.max(FEWEST_ROWS, Math.floor(PRODUCT / bank.rows));
  return openDistances(part, bank.columns, threads, rowsAtOnce);
}

async function totalDistance(search: NearestNeighbours, members: PatchMemory['bank']): Promise<number> {
  const distances = await search.distances(members).finally(() => search.dispose());
  return distances.reduce((sum, distance) => sum + distance, 0);
}

/**
 * How many candidates make {@link openMemorySearch} find what the exact search finds; undefined where no few do, since
 * members lie closer together than 8 bits can tell, or where it would not pay. Tried on members themselves: each is its
 * own nearest one, and the next are about as far as good patches are.
 */
export async function chooseCandidates(
  { bank, weights }: PatchMemory,
  neighbours: number,
  threads = 1,
): Promise<number | undefined> {
  if (bank.rows < MANY) return undefined;
  const candidates = 2 * neighbours + 2;
  const every = Math.ceil(bank.rows / SAMPLE);
  const sample = takeRows(
    bank,
    Uint32Array.from({ length: Math.floor(bank.rows / every) }, (_, row) => row * every),
  );
  const withItself = { bank, weights, candidates: candidates + 1 };
  const found = await totalDistance(await openMemorySearch(withItself, neighbours + 1, threads), sample);
  const nearest = await totalDistance(await openNearestNeighbours(withItself, neighbours + 1, threads), sample);
  return found <= FARTHER * nearest ? candidates : undefined;
}
