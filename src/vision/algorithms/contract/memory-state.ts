import Type, { type Static } from 'typebox';
import type { InputLayout } from '../../backbone/input-layout.ts';
import { decodeCorrections, encodeCorrections } from '../../corrections/correction-patches.ts';
import type { RefinableState } from '../../corrections/refinable-model.ts';
import type { Matrix } from '../../math/matrix.ts';
import type { PatchMemory } from '../../memory-bank/open-memory-search.ts';
import type { ContainerContent } from '../../model-file/binary-container.ts';
import {
  COUNT,
  damagedPart,
  LAYOUT,
  readHeader,
  readMatrix,
  readVector,
  SMOOTHING,
} from '../../model-file/model-parts.ts';

export interface MemoryState extends RefinableState, PatchMemory {
  readonly layout: InputLayout;
  /** [dims, axes] */
  readonly projection: Matrix;
}

/** The memory's part of a header. In a file, `candidates` and `byBlocks` say the shortlist's members and block side. */
const HEADER = Type.Object({
  layout: LAYOUT,
  smoothing: SMOOTHING,
  dims: COUNT,
  axes: COUNT,
  members: COUNT,
  candidates: Type.Optional(COUNT),
  byBlocks: Type.Optional(Type.Boolean()),
  sources: Type.Optional(Type.Array(Type.String())),
  /** Cells that have a factor. */
  places: Type.Optional(COUNT),
});

/** @param own fields that the algorithm's header has after the layout */
export function encodeMemory<Own extends object>(state: MemoryState, own: Own) {
  const { layout, projection, bank, weights, shortlist, sources, placeFactors, smoothing, corrections } = state;
  const part = encodeCorrections(corrections);
  const header = {
    layout,
    ...own,
    smoothing,
    dims: projection.rows,
    axes: projection.columns,
    members: bank.rows,
    ...(shortlist && { candidates: shortlist.members, byBlocks: shortlist.blockSide === 2 }),
    ...(sources && { sources: [...sources.images] }),
    ...(placeFactors && { places: placeFactors.length }),
  } satisfies Static<typeof HEADER>;
  const memory = {
    projection: projection.data,
    bank: bank.data,
    ...(weights && { weights }),
    ...(sources && { sources: sources.imageOf }),
    ...(placeFactors && { placeFactors }),
  };
  return { header: { ...header, ...part.header }, arrays: { ...memory, ...part.arrays } };
}

/**
 * @param neighbours a shortlist has at least as many
 * @throws VisionError `invalid_model`
 */
export function decodeMemory(content: ContainerContent, neighbours: number): MemoryState {
  const { layout, smoothing, dims, axes, members, candidates, byBlocks, sources, places } = readHeader(HEADER, content);
  if (candidates !== undefined && candidates < neighbours) throw damagedPart('candidates');
  return {
    layout,
    smoothing,
    projection: readMatrix(content, 'projection', dims, axes),
    bank: readMatrix(content, 'bank', members, axes),
    weights: content.arrays['weights'] && readVector(content, 'weights', members),
    shortlist: candidates === undefined ? undefined : { members: candidates, blockSide: byBlocks ? 2 : 1 },
    placeFactors: places === undefined ? undefined : readVector(content, 'placeFactors', places),
    sources: sources && { images: sources, imageOf: readSources(content, members, sources.length) },
    corrections: decodeCorrections(content, axes),
  };
}

function readSources({ arrays }: ContainerContent, members: number, images: number): Uint32Array {
  const { sources } = arrays;
  const isWhole = sources instanceof Uint32Array && sources.length === members;
  if (isWhole && sources.every((image) => image < images)) return sources;
  throw damagedPart('sources');
}
