import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Value } from 'typebox/value';
import { type Entry, open, type ZipFile } from 'yauzl';
import { AppError } from '../../errors.ts';
import { formatName, formatVersion, listFiles, Manifest, type ModelManifest, manifestName } from './manifest.ts';

export interface ArchiveReader {
  readonly manifest: ModelManifest;
  /** The whole content of a file that the manifest lists. */
  read(path: string): Promise<Buffer>;
  close(): void;
}

export interface ArchiveLimits {
  readonly entries: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
  /** Unpacked over packed size of one file, beyond a first MiB. */
  readonly ratio: number;
}

const mib = 1024 * 1024;
const defaultLimits: ArchiveLimits = { entries: 20_000, fileBytes: 1024 * mib, totalBytes: 8192 * mib, ratio: 200 };
const manifestBytes = 16 * mib;

export function importRefused(reason: string, cause?: unknown): AppError {
  return new AppError('import-refused', { reason }, { problems: [{ key: 'models', errors: [reason] }], cause });
}

/**
 * Opens a file of exported models and checks all of it but the models themselves: names, sizes, manifest, hashes.
 * Nothing is unpacked to the disk.
 * @throws AppError `import-refused`.
 */
export async function openArchive(path: string, limits: ArchiveLimits = defaultLimits): Promise<ArchiveReader> {
  const zip = await openZip(path);
  try {
    const entries = await listEntries(zip, limits);
    const read = async (name: string): Promise<Buffer> => {
      const entry = entries.get(name);
      if (!entry) throw importRefused(`${name} is missing in it.`);
      return readEntry(zip, entry);
    };
    const manifest = await readManifest(entries, read);
    await checkFiles(manifest, entries, read);
    return { manifest, read, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false, strictFileNames: true }, (error, zip) => {
      if (error) reject(importRefused(`it is no zip file (${error.message}).`, error));
      else resolve(zip);
    });
  });
}

function listEntries(zip: ZipFile, limits: ArchiveLimits): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    let total = 0;
    const refuse = (reason: string): void => reject(importRefused(reason));
    // Names that lead out of the archive end here too.
    zip.once('error', (error: Error) => refuse(`it is damaged or unsafe (${error.message}).`));
    zip.once('end', () => (entries.size === 0 ? refuse('the zip file is empty.') : resolve(entries)));
    zip.on('entry', (entry: Entry) => {
      const { fileName: name, uncompressedSize: size, compressedSize } = entry;
      total += size;
      if (entries.has(name)) return refuse(`${name} is there twice.`);
      if (entries.size >= limits.entries) return refuse(`it has more than ${limits.entries} files.`);
      if (entry.isEncrypted()) return refuse(`${name} is encrypted.`);
      if (size > limits.fileBytes) return refuse(`${name} unpacks to more than ${limits.fileBytes / mib} MiB.`);
      if (total > limits.totalBytes) return refuse(`it unpacks to more than ${limits.totalBytes / mib} MiB.`);
      if (size > mib && size > compressedSize * limits.ratio) {
        return refuse(`${name} unpacks to more than ${limits.ratio} times its size.`);
      }
      entries.set(name, entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

/** The reader itself makes sure that an entry has the size that it claims. */
async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const damaged = (cause: Error) => importRefused(`${entry.fileName} in it is damaged (${cause.message}).`, cause);
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (error ? reject(damaged(error)) : resolve(opened)));
  });
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk as Buffer);
  } catch (error) {
    throw damaged(error as Error);
  }
  return Buffer.concat(chunks);
}

async function readManifest(
  entries: ReadonlyMap<string, Entry>,
  read: (name: string) => Promise<Buffer>,
): Promise<ModelManifest> {
  const size = entries.get(manifestName)?.uncompressedSize;
  if (size === undefined) throw importRefused(`${manifestName} is missing in it: it is no export of Kensa.`);
  if (size > manifestBytes) throw importRefused(`${manifestName} is larger than ${manifestBytes / mib} MiB.`);
  let manifest: unknown;
  try {
    manifest = JSON.parse((await read(manifestName)).toString('utf8'));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw importRefused(`${manifestName} is not valid JSON.`, error);
  }
  const { format, format_version: version } = Object(manifest) as { format?: unknown; format_version?: unknown };
  if (format !== formatName) throw importRefused(`${manifestName} is not that of an export of Kensa.`);
  if (version !== formatVersion) {
    const advice = 'Export it again with this release, or import it with the release that made it.';
    throw importRefused(
      `its format version is ${JSON.stringify(version)}; this release reads ${formatVersion}. ${advice}`,
    );
  }
  if (Value.Check(Manifest, manifest)) return manifest;
  const [first] = Value.Errors(Manifest, manifest);
  throw importRefused(`${manifestName} is not valid: ${first?.instancePath || '/'} ${first?.message ?? 'is wrong'}.`);
}

async function checkFiles(
  manifest: ModelManifest,
  entries: ReadonlyMap<string, Entry>,
  read: (name: string) => Promise<Buffer>,
): Promise<void> {
  const listed = Object.entries(manifest.files);
  const unlisted = [...entries.keys()].find((name) => name !== manifestName && !(name in manifest.files));
  if (unlisted !== undefined) throw importRefused(`${unlisted} is in it, but not in its ${manifestName}.`);
  const unknown = listFiles(manifest.models).find((path) => !(path in manifest.files));
  if (unknown !== undefined) throw importRefused(`a model needs ${unknown}, which ${manifestName} does not list.`);
  const ids = manifest.models.map((model) => model.model_id);
  if (new Set(ids).size < ids.length) throw importRefused('a model is there twice.');
  for (const [path, { sha256, size }] of listed) {
    const bytes = await read(path);
    const actual = createHash('sha256').update(bytes).digest('hex');
    if (actual !== sha256 || path !== `files/${sha256}` || bytes.length !== size) {
      throw importRefused(`${path} was changed: its SHA-256 is not the one in ${manifestName}.`);
    }
  }
}
