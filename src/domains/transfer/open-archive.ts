import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Value } from 'typebox/value';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { AppError } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import { describeSchemaErrors } from '../../vision/schema-problems.ts';
import { formatName, formatVersion, listFiles, Manifest, type ModelManifest, manifestName } from './manifest.ts';

export interface Archive {
  readonly manifest: ModelManifest;
  /** The whole content of a file that the manifest lists. */
  read(path: string): Promise<Buffer>;
  close(): void;
}

const MIB = 1024 * 1024;
const MOST_FILES = 20_000;
const LARGEST_FILE = 1024 * MIB;
const LARGEST_TOTAL = 8192 * MIB;
const LARGEST_MANIFEST = 16 * MIB;
/** Unpacked over packed size of a file of more than 1 MiB. */
const LARGEST_RATIO = 200;

export function importRefused(reason: Message, cause?: unknown): AppError {
  return new AppError('import-refused', { reason }, { problems: [{ key: 'models', errors: [reason] }], cause });
}

/**
 * Opens a file of exported models and checks names, sizes, manifest and hashes, but not the models themselves. Nothing is
 * unpacked to the disk.
 * @throws AppError `import-refused`.
 */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true }).catch((error) => {
    throw importRefused(say('import.no-zip'), error);
  });
  try {
    const entries = await listEntries(zip);
    // The zip reader checks that an entry has the size that it claims.
    const read = async (file: string): Promise<Buffer> => {
      const entry = entries.get(file);
      if (!entry) throw importRefused(say('import.missing', { file }));
      try {
        return await buffer(await zip.openReadStreamPromise(entry));
      } catch (error) {
        throw importRefused(say('import.file-damaged', { file }), error);
      }
    };
    const manifest = await readManifest(entries, read);
    await checkFiles(manifest, entries, read);
    return { manifest, read, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let total = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      total += entry.uncompressedSize;
      const problem = findProblem(entry, entries, total);
      if (problem) throw importRefused(problem);
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    // The zip reader refuses names that lead out of the archive.
    throw error instanceof AppError ? error : importRefused(say('import.damaged'), error);
  }
  if (entries.size === 0) throw importRefused(say('import.empty'));
  return entries;
}

function findProblem(entry: Entry, earlier: ReadonlyMap<string, Entry>, total: number): Message | undefined {
  const { fileName: file, uncompressedSize: size, compressedSize } = entry;
  if (earlier.has(file)) return say('import.twice', { file });
  if (earlier.size >= MOST_FILES) return say('import.too-many', { limit: MOST_FILES });
  if (entry.isEncrypted()) return say('import.encrypted', { file });
  if (size > LARGEST_FILE) return say('import.file-too-large', { file, mebibytes: LARGEST_FILE / MIB });
  if (total > LARGEST_TOTAL) return say('import.too-large', { mebibytes: LARGEST_TOTAL / MIB });
  const isBomb = size > MIB && size > compressedSize * LARGEST_RATIO;
  return isBomb ? say('import.ratio', { file, ratio: LARGEST_RATIO }) : undefined;
}

async function readManifest(
  entries: ReadonlyMap<string, Entry>,
  read: (name: string) => Promise<Buffer>,
): Promise<ModelManifest> {
  const file = manifestName;
  if ((entries.get(file)?.uncompressedSize ?? 0) > LARGEST_MANIFEST) {
    throw importRefused(say('import.file-too-large', { file, mebibytes: LARGEST_MANIFEST / MIB }));
  }
  const text = (await read(file)).toString('utf8');
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw importRefused(say('import.no-json', { file }), error);
  }
  const { format, format_version: version } = Object(manifest) as { format?: unknown; format_version?: unknown };
  if (format !== formatName) throw importRefused(say('import.no-export', { file }));
  if (version !== formatVersion) {
    throw importRefused(say('import.version', { found: JSON.stringify(version) ?? 'null', known: formatVersion }));
  }
  if (Value.Check(Manifest, manifest)) return manifest;
  const [first] = describeSchemaErrors(Value.Errors(Manifest, manifest));
  throw importRefused(say('import.invalid', { file, problem: first ? say('field.at', first) : [] }));
}

async function checkFiles(
  { files, models }: ModelManifest,
  entries: ReadonlyMap<string, Entry>,
  read: (name: string) => Promise<Buffer>,
): Promise<void> {
  const manifest = manifestName;
  const unlisted = [...entries.keys()].find((name) => name !== manifest && !(name in files));
  if (unlisted !== undefined) throw importRefused(say('import.unlisted', { file: unlisted, manifest }));
  const unknown = listFiles(models).find((path) => !(path in files));
  if (unknown !== undefined) throw importRefused(say('import.needed', { file: unknown, manifest }));
  if (new Set(models.map((model) => model.model_id)).size < models.length) {
    throw importRefused(say('import.model-twice'));
  }
  for (const [file, { sha256, size }] of Object.entries(files)) {
    const bytes = await read(file);
    const actual = createHash('sha256').update(bytes).digest('hex');
    if (actual !== sha256 || file !== `files/${sha256}` || bytes.length !== size) {
      throw importRefused(say('import.changed', { file, manifest }));
    }
  }
}
