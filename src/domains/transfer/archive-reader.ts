import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Value } from 'typebox/value';
import { type Entry, open, type ZipFile } from 'yauzl';
import { AppError } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import { describeSchemaErrors } from '../../vision/schema-problems.ts';
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

export function importRefused(reason: Message, cause?: unknown): AppError {
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
      if (!entry) throw importRefused(say('import.missing', { file: name }));
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
      if (error) reject(importRefused(say('import.no-zip'), error));
      else resolve(zip);
    });
  });
}

function listEntries(zip: ZipFile, limits: ArchiveLimits): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    let total = 0;
    const refuse = (reason: Message, cause?: Error): void => reject(importRefused(reason, cause));
    // Names that lead out of the archive end here too.
    zip.once('error', (error: Error) => refuse(say('import.damaged'), error));
    zip.once('end', () => (entries.size === 0 ? refuse(say('import.empty')) : resolve(entries)));
    zip.on('entry', (entry: Entry) => {
      const { fileName: name, uncompressedSize: size, compressedSize } = entry;
      total += size;
      if (entries.has(name)) return refuse(say('import.twice', { file: name }));
      if (entries.size >= limits.entries) return refuse(say('import.too-many', { limit: limits.entries }));
      if (entry.isEncrypted()) return refuse(say('import.encrypted', { file: name }));
      if (size > limits.fileBytes)
        return refuse(say('import.file-too-large', { file: name, mebibytes: limits.fileBytes / mib }));
      if (total > limits.totalBytes) return refuse(say('import.too-large', { mebibytes: limits.totalBytes / mib }));
      if (size > mib && size > compressedSize * limits.ratio) {
        return refuse(say('import.ratio', { file: name, ratio: limits.ratio }));
      }
      entries.set(name, entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

/** The reader itself makes sure that an entry has the size that it claims. */
async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const damaged = (cause: Error) => importRefused(say('import.file-damaged', { file: entry.fileName }), cause);
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
  if (size === undefined) throw importRefused(say('import.missing', { file: manifestName }));
  if (size > manifestBytes)
    throw importRefused(say('import.file-too-large', { file: manifestName, mebibytes: manifestBytes / mib }));
  let manifest: unknown;
  try {
    manifest = JSON.parse((await read(manifestName)).toString('utf8'));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw importRefused(say('import.no-json', { file: manifestName }), error);
  }
  const { format, format_version: version } = Object(manifest) as { format?: unknown; format_version?: unknown };
  if (format !== formatName) throw importRefused(say('import.no-export', { file: manifestName }));
  if (version !== formatVersion) {
    const values = { found: JSON.stringify(version) ?? 'null', known: formatVersion };
    throw importRefused(say('import.version', values));
  }
  if (Value.Check(Manifest, manifest)) return manifest;
  const [first] = describeSchemaErrors(Value.Errors(Manifest, manifest));
  const problem = first ? say('field.at', first) : [];
  throw importRefused(say('import.invalid', { file: manifestName, problem }));
}

async function checkFiles(
  manifest: ModelManifest,
  entries: ReadonlyMap<string, Entry>,
  read: (name: string) => Promise<Buffer>,
): Promise<void> {
  const listed = Object.entries(manifest.files);
  const unlisted = [...entries.keys()].find((name) => name !== manifestName && !(name in manifest.files));
  if (unlisted !== undefined) throw importRefused(say('import.unlisted', { file: unlisted, manifest: manifestName }));
  const unknown = listFiles(manifest.models).find((path) => !(path in manifest.files));
  if (unknown !== undefined) throw importRefused(say('import.needed', { file: unknown, manifest: manifestName }));
  const ids = manifest.models.map((model) => model.model_id);
  if (new Set(ids).size < ids.length) throw importRefused(say('import.model-twice'));
  for (const [path, { sha256, size }] of listed) {
    const bytes = await read(path);
    const actual = createHash('sha256').update(bytes).digest('hex');
    if (actual !== sha256 || path !== `files/${sha256}` || bytes.length !== size) {
      throw importRefused(say('import.changed', { file: path, manifest: manifestName }));
    }
  }
}
