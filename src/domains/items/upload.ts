import { uuidv7 } from 'uuidv7';
import { AppError, type FieldProblem } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import { VisionError } from '../../vision/vision-error.ts';
import { parseUploadedName, type UploadedName } from './uploaded-name.ts';

/** What decoding an image found; throws VisionError where the file is at fault. */
export type ProbeImage = (bytes: Uint8Array) => Promise<{ format: string; width: number; height: number }>;

export interface UploadedImage extends UploadedName {
  readonly order: number;
  readonly blob: string;
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly file_size: number;
}

export interface UploadedItem {
  readonly itemId: string;
  readonly name: string;
  readonly images: readonly UploadedImage[];
}

/** Takes files one by one, so that memory holds a few of them and not the request. */
export interface Upload {
  /** May run for several files at a time; the calls are in the order of the files. */
  addFile(fileName: string, bytes: Uint8Array): Promise<void>;
  /** @throws AppError `image-invalid` naming each bad file; blobs of a refused upload are swept later. */
  finish(itemName: string | undefined): UploadedItem[];
}

export function beginUpload(parts: { blobs: BlobStore; probe: ProbeImage }): Upload {
  const images: UploadedImage[] = [];
  const problems: FieldProblem[] = [];
  let count = 0;

  return {
    async addFile(fileName, bytes) {
      const order = count++;
      try {
        const { format, width, height } = await parts.probe(bytes);
        const blob = await parts.blobs.put(bytes);
        images.push({ ...parseUploadedName(fileName), order, blob, format, width, height, file_size: bytes.length });
      } catch (error) {
        if (!(error instanceof VisionError)) throw error;
        problems.push({ key: fileName, errors: [error.detail] });
      }
    },
    finish(itemName) {
      if (count === 0) {
        const reason = say('item.none-uploaded');
        throw new AppError(
          'image-invalid',
          { count: 0, total: 0, reason },
          { problems: [{ key: 'files', errors: [reason] }] },
        );
      }
      const [first] = problems;
      if (first) {
        const reason = first.errors.map((problem) => say('field.at', { key: first.key, problem }));
        throw new AppError('image-invalid', { count: problems.length, total: count, reason }, { problems });
      }
      return groupIntoItems(
        images.sort((one, other) => one.order - other.order),
        itemName,
      );
    },
  };
}

function groupIntoItems(images: readonly UploadedImage[], itemName: string | undefined): UploadedItem[] {
  const groups = new Map<string, UploadedImage[]>();
  for (const image of images) {
    const key = itemName !== undefined ? 'all' : (image.group ?? `single ${image.order}`);
    groups.set(key, [...(groups.get(key) ?? []), image]);
  }
  return [...groups.values()].map((members) => ({
    itemId: uuidv7(),
    name: itemName ?? members[0]?.itemName ?? 'item',
    images: withDistinctNames(members),
  }));
}

/** Annotations refer to images by name, so two images of one item never share theirs. */
function withDistinctNames(images: readonly UploadedImage[]): UploadedImage[] {
  const taken = new Set<string>();
  return images.map((image) => {
    let name = image.imageName;
    for (let copy = 2; taken.has(name); copy++) name = `${image.imageName} (${copy})`;
    taken.add(name);
    return { ...image, imageName: name };
  });
}
