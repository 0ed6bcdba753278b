import type { Tensor } from 'onnxruntime-node';
import { cropImage } from '../image/crop-image.ts';
import { resizeImage } from '../image/resize-image.ts';
import type { Matrix } from '../math/matrix.ts';
import { openSession, type Session, type Threads } from '../onnx/open-session.ts';
import type { BackboneFile, Picture, RgbImage } from '../types.ts';
import { type InputLayout, layoutTiles, type Tile } from './input-layout.ts';
import { type Backbone, openBackbone } from './open-backbone.ts';
import { levelInput, levelInputs, patchPart, projectedPatchPart } from './patch-graph.ts';

/** Features of an image, one vector for each cell of a grid that covers it evenly. */
export interface PatchFeatures {
  readonly rows: number;
  readonly columns: number;
  /** [rows · columns, dims] */
  readonly patches: Matrix;
}

export interface PatchExtractor {
  /** May be asked for several images at once. */
  extract(image: Picture): Promise<PatchFeatures>;
  /** Gives its memory back until it is asked for the next image. To be called when none is under way. */
  rest(): Promise<void>;
  dispose(): Promise<void>;
}

/** An extractor that knows its network. */
export interface NetworkExtractor extends PatchExtractor {
  /**
   * The same with every patch projected: takes over the network, which is thus opened once. To be called when no image is
   * under way, and instead of `dispose`.
   * @param projection [dims, axes]
   */
  projecting(projection: Matrix): Promise<NetworkExtractor>;
}

/** Features of a part of the canvas. */
export interface TileFeatures extends PatchFeatures {
  readonly tile: Tile;
}

function openPatchSession(
  levels: readonly Tensor[],
  projection: Matrix | undefined,
  threads: Threads,
): Promise<Session> {
  const channels = levels.map((level) => level.dims[1] ?? 0);
  const part = projection ? projectedPatchPart(channels, projection, 'patches') : patchPart(channels, 'patches');
  const outputs = [{ name: 'patches', dims: ['patches', 'dims'] }];
  return openSession({ ...part, inputs: levelInputs(channels), outputs }, threads);
}

/** Cells between a cell and the nearest end of its tile that is not an end of the canvas as well. */
function inset(at: number, size: number, start: number, canvas: number): number {
  const before = start > 0 ? at : Number.POSITIVE_INFINITY;
  const after = start + size < canvas ? size - 1 - at : Number.POSITIVE_INFINITY;
  return Math.min(before, after);
}

/** Puts the tiles' grids together; where they overlap, the cell that is farthest from its tile's edge is kept. */
export function stitchTiles(layout: InputLayout, parts: readonly TileFeatures[]): PatchFeatures {
  const [first] = parts;
  if (!first || parts.length === 1) return first ?? { rows: 0, columns: 0, patches: emptyMatrix() };
  const stride = layout.tileWidth / first.columns;
  const [rows, columns] = [layout.canvasHeight / stride, layout.canvasWidth / stride];
  const dims = first.patches.columns;
  const data = new Float32Array(rows * columns * dims);
  const depth = new Float32Array(rows * columns).fill(-1);
  for (const { tile, patches, rows: tileRows, columns: tileColumns } of parts) {
    const [top, left] = [tile.top / stride, tile.left / stride];
    for (let y = 0; y < tileRows; y++)
      for (let x = 0; x < tileColumns; x++) {
        const cell = (top + y) * columns + left + x;
        const inside = Math.min(inset(y, tileRows, top, rows), inset(x, tileColumns, left, columns));
        if (inside <= depth[cell]!) continue;
        depth[cell] = inside;
        const from = (y * tileColumns + x) * dims;
        data.set(patches.data.subarray(from, from + dims), cell * dims);
      }
  }
  return { rows, columns, patches: { rows: rows * columns, columns: dims, data } };
}

const emptyMatrix = (): Matrix => ({ rows: 0, columns: 0, data: new Float32Array() });

/** What turns the network's levels into patches, and the grid in which they lie, the same for every tile. */
interface OpenedPatches {
  readonly session: Session;
  readonly inputs: readonly string[];
  readonly rows: number;
  readonly columns: number;
}

/** Opens something when it is asked for, and anew after it was closed or could not be opened. */
function keepOpen<Opened, Argument = void>(open: (argument: Argument) => Promise<Opened>, first?: Promise<Opened>) {
  let opening = first;
  return {
    async get(argument: Argument): Promise<Opened> {
      opening ??= open(argument);
      const mine = opening;
      try {
        return await mine;
      } catch (error) {
        if (opening === mine) opening = undefined;
        throw error;
      }
    },
    async close(release: (opened: Opened) => Promise<void>): Promise<void> {
      const opened = await opening;
      opening = undefined;
      if (opened) await release(opened);
    },
  };
}

/** @param open opens the network anew when it has rested */
function extractorOf(
  first: Backbone,
  open: () => Promise<Backbone>,
  layout: InputLayout,
  projection: Matrix | undefined,
  threads: Threads,
): NetworkExtractor {
  let disposed = false;
  const network = keepOpen(open, Promise.resolve(first));
  const patches = keepOpen(async (image: RgbImage): Promise<OpenedPatches> => {
    // Work that was given up may still ask, and nobody would close what it opened.
    if (disposed) throw new Error('The extractor is closed.');
    // How many channels its levels have, the network says when it runs.
    const levels = await (await network.get()).extractLevels(image);
    const [rows = 0, columns = 0] = levels[0]?.dims.slice(2) ?? [];
    const inputs = levels.map((_, level) => levelInput(level));
    return { session: await openPatchSession(levels, projection, threads), inputs, rows, columns };
  });

  async function extractTile(image: RgbImage, tile: Tile): Promise<TileFeatures> {
    const { session, inputs, rows, columns } = await patches.get(image);
    const [result] = Object.values(await (await network.get()).runInto(session, inputs, image));
    const data = result?.data as Float32Array;
    return { rows, columns, patches: { rows: rows * columns, columns: result?.dims[1] ?? 0, data }, tile };
  }

  const closePatches = (): Promise<void> => patches.close(({ session }) => session.release());
  async function close(): Promise<void> {
    await closePatches();
    await network.close((backbone) => backbone.dispose());
  }
  return {
    async extract(image) {
      const canvas = await resizeImage(image, layout.canvasWidth, layout.canvasHeight);
      const parts: TileFeatures[] = [];
      for (const tile of layoutTiles(layout))
        parts.push(
          await extractTile(cropImage(canvas, tile.left, tile.top, layout.tileWidth, layout.tileHeight), tile),
        );
      return stitchTiles(layout, parts);
    },
    async projecting(onto) {
      await closePatches();
      return extractorOf(await network.get(), open, layout, onto, threads);
    },
    rest: close,
    async dispose() {
      disposed = true;
      await close();
    },
  };
}

/**
 * Squeezes the image to the layout's canvas, runs the network on each tile, pools and joins its levels
 * ({@link patchPart}).
 * @param projection [dims, axes], applied to every patch where given
 * @throws VisionError `invalid_backbone`
 */
export async function openPatchExtractor(
  file: BackboneFile,
  layout: InputLayout,
  projection?: Matrix,
  threads: Threads = 1,
): Promise<NetworkExtractor> {
  const open = () => openBackbone(file, threads);
  return extractorOf(await open(), open, layout, projection, threads);
}
