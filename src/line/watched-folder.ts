import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, link, lstat, mkdir, open, opendir, readdir, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { type Message, say } from '../messages/message.ts';

/** What a change of a file changes. */
export interface FileVersion {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** Inode and time of its last change: they tell versions apart where size and time are the same. */
  readonly mark: string;
}

export const imageExtensions = ['.jpg', '.jpeg', '.png', '.webp', '.tif', '.tiff', '.bmp'];
export const hasImageExtension = (path: string): boolean => imageExtensions.includes(extname(path).toLowerCase());

/** Where `after: "move"` puts files, below the folder. */
export const doneFolder = 'done';
/** Marks a file on its way out. */
const leaving = /^\.leaving-[0-9a-f-]{36}-(.+)$/;

export const sameVersion = (one: FileVersion, other: FileVersion): boolean =>
  one.size === other.size && one.modified === other.modified && one.mark === other.mark;

function versionOf(stats: { size: number; mtimeMs: number; ctimeMs: number; ino: number }): FileVersion {
  return { size: stats.size, modified: stats.mtimeMs, mark: `${stats.ino} ${stats.ctimeMs}` };
}

/** Undefined where the path is no ordinary file, or is not there any more. Links are not followed. */
export async function findVersion(root: string, path: string): Promise<FileVersion | undefined> {
  const stats = await lstat(join(root, path)).catch(ignoreMissing);
  return stats?.isFile() ? versionOf(stats) : undefined;
}

const ignoreMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
};

/**
 * The images below the folder, by their path with forward slashes. Hidden files and folders, links, and what was moved
 * away are passed over. @throws the error of the system where the folder cannot be read.
 */
export async function scanFolder(root: string): Promise<Map<string, FileVersion>> {
  const found = new Map<string, FileVersion>();
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = folder === '' ? await opendir(root) : await opendir(join(root, folder)).catch(ignoreMissing);
    if (!entries) continue;
    for await (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && path !== doneFolder) folders.push(path);
      } else if (entry.isFile() && leaving.test(entry.name)) {
        await putBack(root, path);
      } else if (entry.isFile() && !entry.name.startsWith('.') && hasImageExtension(entry.name)) {
        const version = await findVersion(root, path);
        if (version) found.set(path, version);
      }
    }
  }
  return found;
}

/** Reads a file to its end. @returns undefined where it changed meanwhile. */
export async function readUnchanged<T>(
  root: string,
  path: string,
  version: FileVersion,
  read: (file: Readable) => Promise<T>,
): Promise<T | undefined> {
  const full = join(root, path);
  // A folder above it may have become a link to somewhere else.
  if ((await realpath(dirname(full))) !== dirname(full)) return undefined;
  const file = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const isSame = async (): Promise<boolean> => sameVersion(versionOf(await file.stat()), version);
    if (!(await isSame())) return undefined;
    const content = await read(file.createReadStream({ autoClose: false }));
    return (await isSame()) ? content : undefined;
  } finally {
    await file.close();
  }
}

/**
 * Takes this version of a file out of the folder. First it gets a name of its own: a camera that writes the same name
 * anew at this moment does not lose what it writes.
 * @returns its path where it was moved to; undefined: it is deleted, has changed, or was not there any more
 * @throws Error of the file system where it cannot be moved or deleted; then it is at its place
 */
export async function takeAway(
  root: string,
  path: string,
  version: FileVersion,
  after: 'move' | 'delete',
): Promise<string | undefined> {
  const own = join(dirname(path), `.leaving-${randomUUID()}-${path.split('/').at(-1)}`);
  try {
    await rename(join(root, path), join(root, own));
  } catch (error) {
    return ignoreMissing(error as NodeJS.ErrnoException);
  }
  const found = await findVersion(root, own);
  // Renaming changes the mark.
  if (found?.size !== version.size || found.modified !== version.modified) {
    await putBack(root, own);
    return undefined;
  }
  try {
    if (after === 'delete') {
      await unlink(join(root, own));
      return undefined;
    }
    await mkdir(join(root, doneFolder, dirname(path)), { recursive: true });
    const moved = await moveTo(join(root, own), join(root, doneFolder, path));
    return relative(root, moved).split(sep).join('/');
  } catch (error) {
    await putBack(root, own);
    throw error;
  }
}

/** Whether a file is on its way out of its folder: neither at its path nor where it is moved to. */
export async function isLeaving(root: string, path: string): Promise<boolean> {
  const names = (await readdir(join(root, dirname(path))).catch(ignoreMissing)) ?? [];
  return names.some((name) => leaving.exec(name)?.[1] === basename(path));
}

/** Gives a file that was on its way out its name again. */
async function putBack(root: string, path: string): Promise<void> {
  const [, name = ''] = leaving.exec(path.split('/').at(-1) ?? '') ?? [];
  await moveTo(join(root, path), join(root, dirname(path), name));
}

/** Moves a file and overwrites none: a name that is taken gets a number. */
async function moveTo(from: string, to: string): Promise<string> {
  for (let copy = 1; ; copy++) {
    const free = nameCopy(to, copy);
    try {
      await link(from, free);
      await unlink(from);
      return free;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      // Some network drives have no links.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
      if (await stat(free).catch(ignoreMissing)) continue;
      await rename(from, free);
      return free;
    }
  }
}

function nameCopy(path: string, copy: number): string {
  const extension = extname(path);
  return copy === 1 ? path : `${path.slice(0, path.length - extension.length)} (${copy})${extension}`;
}

/**
 * Where a file was moved to that is not at its path any more, and whose new place was not noted: the first of its
 * copies that has no result yet. Undefined where no copy is without one.
 */
export async function findMoved(root: string, path: string): Promise<string | undefined> {
  for (let copy = 1; ; copy++) {
    const moved = nameCopy(`${doneFolder}/${path}`, copy);
    if (!(await findVersion(root, moved))) return undefined;
    if (!(await findVersion(root, sidecarOf(moved)))) return moved;
  }
}

/** The file beside an image that has its result. */
export const sidecarOf = (path: string): string => `${path}.json`;

/**
 * Writes a file below the folder: whole or not at all, also where the machine stops. Folders that are gone are made again.
 */
export async function writeWhole(root: string, path: string, text: string): Promise<void> {
  const folder = join(root, dirname(path));
  await mkdir(folder, { recursive: true });
  // A folder on the way may be a link to somewhere else.
  if ((await realpath(folder)) !== folder) throw Object.assign(new Error('A link leads away.'), { code: 'ELOOP' });
  // The same name each time, so that what a crash left is written over.
  const hidden = join(folder, `.${basename(path)}.part`);
  const file = await open(
    hidden,
    constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
    0o644,
  );
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(hidden, join(root, path));
  const directory = await open(folder);
  // Some network drives cannot do it.
  await directory.sync().catch(() => {});
  await directory.close();
}

const isWithin = (outer: string, inner: string): boolean => {
  const path = relative(outer, inner);
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && resolve(outer, path) === inner);
};

export const overlap = (one: string, other: string): boolean => isWithin(one, other) || isWithin(other, one);

/**
 * Whether a station may watch this folder.
 * @param roots folders below which stations may watch
 * @returns its path without links, or what is wrong.
 */
export async function checkFolder(
  path: string,
  after: 'keep' | 'move' | 'delete',
  { roots, dataDir }: { roots: readonly string[]; dataDir: string },
): Promise<{ path: string } | { problem: Message }> {
  if (roots.length === 0) return { problem: say('folder.no-roots') };
  if (!path.startsWith('/') || path.includes('\0'))
    return { problem: say('folder.not-absolute', { received: path, example: `${roots[0]}/station-1` }) };
  const allowed: string[] = [];
  for (const root of roots) allowed.push(await realpath(root).catch(() => resolve(root)));
  // Says nothing of what exists elsewhere.
  const outside = { problem: say('folder.outside', { received: path, allowed: [...roots] }) };
  if (![...allowed, ...roots].some((root) => isWithin(root, resolve(path)))) return outside;
  try {
    const real = await realpath(path);
    if (!allowed.some((root) => isWithin(root, real))) return outside;
    if (overlap(real, await realpath(dataDir).catch(() => dataDir)))
      return { problem: say('folder.data', { received: path }) };
    if (!(await stat(real)).isDirectory()) return { problem: say('folder.no-folder', { received: path }) };
    await access(real, constants.R_OK | constants.X_OK);
    if (after !== 'keep' && !(await isWritable(real)))
      return { problem: say('folder.read-only', { received: path, after }) };
    return { path: real };
  } catch (error) {
    return { problem: describeFolderFailure(path, error) };
  }
}

export const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );

/** Why a folder cannot be used, in words. */
export function describeFolderFailure(path: string, error: unknown): Message {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return say('folder.missing', { received: path });
  if (code === 'ENOTDIR') return say('folder.no-folder', { received: path });
  if (code === 'EACCES' || code === 'EPERM') return say('folder.forbidden', { received: path });
  return say('folder.unusable', { received: path, details: code ?? message });
}
