import type { ChosenFile } from './dropped-files.ts';

export type UploadPurpose = 'good' | 'ng' | 'inspect' | 'store';

/** Files that travel in one request and stand or fall together. */
export interface UploadBatch {
  readonly files: readonly { readonly file: File; readonly name: string }[];
  /** Whether the files are separate items, which may be sent again one by one. */
  readonly separable: boolean;
}

const filesPerRequest = 10;
const bytesPerRequest = 48 * 1024 * 1024;

/** Cuts the files into requests: a folder each where folders are products, else a few files at a time. */
export function planUpload(chosen: readonly ChosenFile[], groupByFolder: boolean): UploadBatch[] {
  const sorted = [...chosen].sort((one, other) => one.path.localeCompare(other.path, undefined, { numeric: true }));
  if (!groupByFolder) return cutIntoBatches(sorted.map(({ file }) => ({ file, name: file.name })));
  const folders = new Map<string, { file: File; name: string }[]>();
  for (const { file, path } of sorted) {
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
    folders.set(folder, [...(folders.get(folder) ?? []), { file, name: folder === '' ? file.name : path }]);
  }
  const loose = folders.get('') ?? [];
  folders.delete('');
  return [...[...folders.values()].map((files) => ({ files, separable: false })), ...cutIntoBatches(loose)];
}

function cutIntoBatches(files: readonly { file: File; name: string }[]): UploadBatch[] {
  const batches: { files: { file: File; name: string }[]; separable: true }[] = [];
  let bytes = 0;
  for (const each of files) {
    const current = batches.at(-1);
    if (current && current.files.length < filesPerRequest && bytes + each.file.size <= bytesPerRequest) {
      current.files.push(each);
      bytes += each.file.size;
    } else {
      batches.push({ files: [each], separable: true });
      bytes = each.file.size;
    }
  }
  return batches;
}
