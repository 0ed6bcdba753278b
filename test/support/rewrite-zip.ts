import { fromBuffer } from 'yauzl';
import { ZipFile } from 'yazl';

export interface ZipMember {
  readonly name: string;
  readonly bytes: Buffer;
}

export function readZip(zip: Buffer): Promise<ZipMember[]> {
  return new Promise((resolve, reject) => {
    const members: ZipMember[] = [];
    fromBuffer(zip, { lazyEntries: true }, (error, file) => {
      if (error) return reject(error);
      file.on('end', () => resolve(members));
      file.on('error', reject);
      file.on('entry', (entry) => {
        file.openReadStream(entry, async (failure, stream) => {
          if (failure) return reject(failure);
          const chunks: Buffer[] = [];
          for await (const chunk of stream) chunks.push(chunk as Buffer);
          members.push({ name: entry.fileName, bytes: Buffer.concat(chunks) });
          file.readEntry();
        });
      });
      file.readEntry();
    });
  });
}

export async function writeZip(members: readonly ZipMember[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, bytes } of members) zip.addBuffer(bytes, name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
