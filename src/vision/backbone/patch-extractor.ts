import { cropImage } from '../image/arrange-image.ts';
import { exposeImage } from '../image/exposure.ts';
import { resizeImage } from '../image/resize-image.ts';
import { type Matrix, transposed } from '../math/matrix.ts';
import { GraphBuilder } from '../onnx/graph-builder.ts';
import { openSession, type Session, type Threads } from '../onnx/open-session.ts';
import type { BackboneFile, Picture, RgbImage } from '../types.ts';
import { type InputLayout, layoutTiles, type Tile } from './input-layout.ts';
import { openBackbone } from './open-backbone.ts';

export const levelInput = (level: number): string => `level_${level}`;

const POOL = { kernel_shape: [3, 3], pads: [1, 1, 1, 1], strides: [1, 1], count_include_pad: 1 };

/**
 * Patch features after Roth et al. 2022 (PatchCore): each level averaged over 3×3 neighbours, coarser levels brought to
 * the grid of the finest one, levels side by side. The graph takes one feature map a level (`levelInput`), fine to
 * coarse, (1, channels, rows, columns), and gives `patches`, [patches, dims], in rows from top to bottom.
 * @param channels of each level
 * @param projection [dims, axes], multiplied with every patch. All steps are linear: each level is projected first,
 *   where it has the fewest cells, and the rest works on the axes instead of all channels.
 * @param pooling cells in each direction that are averaged into one at the end
 */
export function patchGraph(channels: readonly number[], projection?: Matrix, pooling = 1): Uint8Array {
  const graph = new GraphBuilder();
  const levels = channels.map((count, level) =>
    graph.input(levelInput(level), [1, count, `rows_${level}`, `columns_${level}`]),
  );
  const zero = graph.integers(0);
  const two = graph.integers(2);
  const grid = graph.add('Slice', [graph.add('Shape', [levels[0]]), two, graph.integers(4)]);
  let dims = 0;
  const aligned = levels.map((level, index) => {
    const count = channels[index]!;
    let projected = level;
    if (projection) {
      const { columns, data } = projection;
      // The level's rows of the projection as the weights of a 1×1 convolution.
      const part = { rows: count, columns, data: data.subarray(dims * columns, (dims + count) * columns) };
      const weights = graph.constant(transposed(part).data, [columns, count, 1, 1]);
      projected = graph.add('Conv', [level, weights]);
    }
    dims += count;
    const pooled = graph.add('AveragePool', [projected], POOL);
    if (index === 0) return pooled;
    const batch = graph.add('Slice', [graph.add('Shape', [pooled]), zero, two]);
    const sizes = graph.add('Concat', [batch, grid], { axis: 0 });
    return graph.add('Resize', [pooled, undefined, undefined, sizes], { mode: 'linear' });
  });
  const joined = projection ? graph.add('Sum', aligned) : graph.add('Concat', aligned, { axis: 1 });
  const cells = { kernel_shape: [pooling, pooling], strides: [pooling, pooling], ceil_mode: 1 };
  const averaged = pooling === 1 ? joined : graph.add('AveragePool', [joined], cells);
  const byDimension = graph.add('Reshape', [averaged, graph.integers(projection?.columns ?? dims, -1)]);
  graph.output('patches', graph.add('Transpose', [byDimension], { perm: [1, 0] }));
  return graph.encode();
}

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
  dispose(): Promise<void>;
}

/** Features of a part of the canvas. */
export interface TileFeatures extends PatchFeatures {
  readonly tile: Tile;
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
  if (!first) throw new RangeError('stitchTiles needs at least one tile');
  if (parts.length === 1) return first;
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

/**
 * Squeezes the image to the layout's canvas, exposes it, runs the network on each tile, pools and joins its levels
 * ({@link patchGraph}).
 * @param projection [dims, axes], applied to every patch where given
 * @throws VisionError `invalid_backbone`
 */
export async function openPatchExtractor(
  file: BackboneFile,
  layout: InputLayout,
  projection?: Matrix,
  threads: Threads = 1,
): Promise<PatchExtractor> {
  const backbone = await openBackbone(file, threads);
  const tiles = layoutTiles(layout);
  const { pooling = 1, exposure } = layout;
  let disposed = false;
  let patchSession: Promise<Session> | undefined;

  /** A cancelled training may still ask. */
  function refuseClosed(): void {
    if (disposed) throw new Error('The extractor is closed.');
  }

  async function extractTile(image: RgbImage, tile: Tile): Promise<TileFeatures> {
    refuseClosed();
    const levels = await backbone.extractLevels(image);
    refuseClosed();
    // Only the levels themselves tell how many channels they have.
    patchSession ??= openSession(
      patchGraph(
        levels.map(({ dims }) => dims[1] ?? 0),
        projection,
        pooling,
      ),
      threads,
    );
    const session = await patchSession;
    const { patches } = await session.run(Object.fromEntries(levels.map((level, index) => [levelInput(index), level])));
    const [rows = 0, columns = 0] = (levels[0]?.dims.slice(2) ?? []).map((cells) => Math.ceil(cells / pooling));
    const data = patches?.data as Float32Array;
    return { rows, columns, patches: { rows: rows * columns, columns: patches?.dims[1] ?? 0, data }, tile };
  }

  return {
    async extract(image) {
      const squeezed = await resizeImage(image, layout.canvasWidth, layout.canvasHeight);
      const canvas = exposure ? exposeImage(squeezed, exposure) : squeezed;
      const parts: TileFeatures[] = [];
      for (const tile of tiles)
        parts.push(
          await extractTile(cropImage(canvas, tile.left, tile.top, layout.tileWidth, layout.tileHeight), tile),
        );
      return stitchTiles(layout, parts);
    },
    async dispose() {
      disposed = true;
      const opened = await patchSession?.catch(() => undefined);
      await opened?.release();
      await backbone.dispose();
    },
  };
}
