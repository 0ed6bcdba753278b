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

/** The files of one request. Several are images of one item. */
export type UploadFiles = readonly { readonly name: string; readonly bytes: File }[];

/** A request for each file; for each folder if folders are products, with the paths as names. */
export function planUpload(chosen: readonly ChosenFile[], groupByFolder: boolean): UploadFiles[] {
  const sorted = [...chosen].sort((one, other) => one.path.localeCompare(other.path, undefined, { numeric: true }));
  const single = ({ file }: ChosenFile) => [{ name: file.name, bytes: file }];
  if (!groupByFolder) return sorted.map(single);
  const folders = new Map<string, { name: string; bytes: File }[]>();
  for (const { file, path } of sorted.filter(inFolder)) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    folders.set(folder, [...(folders.get(folder) ?? []), { name: path, bytes: file }]);
  }
  return [...folders.values(), ...sorted.filter((one) => !inFolder(one)).map(single)];
}

export const inFolder = ({ path }: ChosenFile): boolean => path.includes('/');
