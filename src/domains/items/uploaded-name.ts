/** Where an uploaded file belongs: `part7/top.png` is image `top.png` of item `part7`. */
export interface UploadedName {
  readonly itemName: string;
  readonly imageName: string;
  /** The file with its folders. */
  readonly path: string;
  /** Files with the same group belong to one item; undefined: an item of its own. */
  readonly group: string | undefined;
}

/** Names are only shown, never used as paths; what could mislead a reader or a terminal is taken out all the same. */
export function parseUploadedName(fileName: string): UploadedName {
  const parts = fileName
    .normalize('NFC')
    .replaceAll('\\', '/')
    .split('/')
    .map(toReadable)
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  const imageName = cut(parts.at(-1) ?? 'image', 200);
  const folder = parts.at(-2);
  const stem = imageName.replace(/\.[^.]*$/, '') || imageName;
  const path = parts.join('/');
  if (folder === undefined) return { itemName: stem, imageName, path, group: undefined };
  return { itemName: cut(folder, 200), imageName, path, group: parts.slice(0, -1).join('/') };
}

/** Without control and bidirectional-override characters. */
export function toReadable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
}

function cut(text: string, length: number): string {
  return [...text].slice(0, length).join('');
}
