import { uuidv7 } from 'uuidv7';
import { AppError, type FieldProblem } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { ItemImageRow } from '../../storage/database.ts';
import { VisionError } from '../../vision/vision-error.ts';
import { parseUploadedName, type UploadedName } from './uploaded-name.ts';

/** What decoding an image found; throws VisionError where the file is at fault. */
export type ProbeImage = (bytes: Uint8Array) => Promise<{ format: string; width: number; height: number }>;

type UploadedImage = Omit<ItemImageRow, 'item_id' | 'position'>;

export interface UploadedItem {
  readonly itemId: string;
  readonly name: string;
  /** Name of its first file as it was sent, with its folders. */
  readonly fileName: string;
  readonly images: readonly UploadedImage[];
}

/** Takes the files of one request one by one, so that memory holds a few of them and not the request. */
export function beginUpload({ blobs, admit }: { blobs: BlobStore; admit(): Promise<void> }) {
  const images: (UploadedImage & { readonly order: number; readonly uploadedName: UploadedName })[] = [];
  const problems: FieldProblem[] = [];
  let count = 0;
  // What it reads is at hand when the file has come. Each file asks for itself.
  admit().catch(() => {});

  return {
    /** May run for several files at a time; the calls are in the order of the files. */
    async addFile(fileName: string, bytes: Uint8Array, probe: ProbeImage): Promise<void> {
      const order = count++;
      await admit();
      try {
        // Side by side. What turns out to be no image is swept later.
        const [{ format, width, height }, blob] = await Promise.all([probe(bytes), blobs.put(bytes)]);
        const uploadedName = parseUploadedName(fileName);
        const name = uploadedName.imageName;
        images.push({ order, uploadedName, name, blob, format, width, height, file_size: bytes.length });
      } catch (error) {
        if (!(error instanceof VisionError)) throw error;
        problems.push({ key: fileName, errors: [error.detail] });
      }
    },

    /**
     * @param itemName all files become images of one item of this name.
     * @param together all files become images of one item.
     * @throws AppError `image-invalid` naming each bad file; blobs of a refused upload are swept later.
     */
    finish(itemName: string | undefined, together = itemName !== undefined): UploadedItem[] {
      if (count === 0) problems.push({ key: 'files', errors: [say('item.none-uploaded')] });
      const [first] = problems;
      if (first) {
        const reason = first.errors.map((problem) => say('field.at', { key: first.key, problem }));
        const bad = count === 0 ? 0 : problems.length;
        throw new AppError('image-invalid', { count: bad, total: count, reason }, { problems });
      }
      const items = new Map<string, Omit<UploadedItem, 'images'> & { images: UploadedImage[] }>();
      for (const { order, uploadedName, ...image } of images.sort((one, other) => one.order - other.order)) {
        const key = together ? 'all' : (uploadedName.group ?? `single ${order}`);
        const item = items.get(key) ?? {
          itemId: uuidv7(),
          name: itemName ?? uploadedName.itemName,
          fileName: uploadedName.path,
          images: [],
        };
        items.set(key, item);
        item.images.push(image);
      }
      return [...items.values()].map((item) => ({ ...item, images: withDistinctNames(item.images) }));
    },
  };
}

/** Annotations refer to images by name, so two images of one item never share theirs. */
function withDistinctNames(images: readonly UploadedImage[]): UploadedImage[] {
  const taken = new Set<string>();
  return images.map((image) => {
    let { name } = image;
    for (let copy = 2; taken.has(name); copy++) name = `${image.name} (${copy})`;
    taken.add(name);
    return { ...image, name };
  });
}
