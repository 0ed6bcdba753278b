/** A file to upload, with its folders: `lot7/part3/top.png`. */
export interface ChosenFile {
  readonly file: File;
  readonly path: string;
}

/** The files of a file field. Only a chosen folder gives the path. */
export function chosenFiles(list: FileList): ChosenFile[] {
  return [...list].map((file) => ({ file, path: file.webkitRelativePath || file.name })).filter(isVisible);
}

/** The dropped files and whole folders. Call it within the drop event, before any `await`. */
export async function droppedFiles(transfer: DataTransfer): Promise<ChosenFile[]> {
  const items = [...transfer.items].filter((item) => item.kind === 'file');
  const found = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const files: ChosenFile[] = [];
  for (const { entry, file } of found) {
    if (entry) files.push(...(await readEntry(entry)));
    else if (file) files.push({ file, path: file.name });
  }
  return files.filter(isVisible);
}

// Operating systems put files such as .DS_Store and Thumbs.db into folders.
function isVisible({ file }: ChosenFile): boolean {
  return !file.name.startsWith('.') && file.name.toLowerCase() !== 'thumbs.db';
}

async function readEntry(entry: FileSystemEntry): Promise<ChosenFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, path: entry.fullPath.replace(/^\//, '') }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: ChosenFile[] = [];
  // A reader returns at most a hundred entries at a time; an empty answer is the end.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return files;
    for (const child of entries) files.push(...(await readEntry(child)));
  }
}

export type UploadPurpose = 'good' | 'ng' | 'inspect' | 'store';

/** Files that are sent in one request, and accepted or refused together. */
export interface UploadBatch {
  readonly files: readonly { readonly file: File; readonly name: string }[];
  /** Each file is an item of its own, and may be sent again alone. */
  readonly separable: boolean;
}

const filesPerRequest = 10;
const bytesPerRequest = 48 * 1024 * 1024;

/** Divides the files into requests: one for each folder if folders are products, else a few files at a time. */
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
