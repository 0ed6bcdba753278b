/** A file to upload, with the folders that it lay in: `lot7/part3/top.png`. */
export interface ChosenFile {
  readonly file: File;
  readonly path: string;
}

/** Files of a file field; folders are known where a folder was chosen. */
export function chosenFiles(list: FileList): ChosenFile[] {
  return [...list].map((file) => ({ file, path: file.webkitRelativePath || file.name })).filter(isVisible);
}

/** Files and whole folders that were dropped. Must be called within the drop event, before anything is awaited. */
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

// Systems leave files such as .DS_Store and Thumbs.db in folders of photos.
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
  // A reader hands out a hundred entries at a time, until it hands out none.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return files;
    for (const child of entries) files.push(...(await readEntry(child)));
  }
}
