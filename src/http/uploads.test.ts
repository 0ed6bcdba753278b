import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { UploadMemory } from './uploads.ts';

const chunk = Buffer.alloc(1000);
const begin = (memory: UploadMemory) => {
  const stream = new PassThrough({ highWaterMark: 1 });
  const file = memory.read(stream);
  file.catch(() => {});
  return { stream, file };
};

it('reads on once a file is released, and refuses what waits for too long', async () => {
  const memory = new UploadMemory(2500, 300);
  const first = begin(memory);
  first.stream.end(Buffer.concat([chunk, chunk]));
  const { bytes, release } = await first.file;
  expect(bytes.length).toBe(2000);
  const second = begin(memory);
  second.stream.end(chunk);
  const third = begin(memory);
  third.stream.end(chunk);
  expect(await Promise.race([second.file, third.file, pause(100, 'waits')])).toBe('waits');
  release();
  const files = await Promise.all([second.file, third.file]);
  const refused = begin(memory);
  refused.stream.end(chunk);
  await expect(refused.file).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 5 });
  for (const file of files) file.release();
  const last = begin(memory);
  last.stream.end(Buffer.concat([chunk, chunk]));
  (await last.file).release();
});

it('reads the oldest file to its end where all of them are unfinished', async () => {
  const memory = new UploadMemory(1500, 5000);
  const uploads = [begin(memory), begin(memory), begin(memory)];
  for (const { stream } of uploads) stream.write(chunk);
  await pause(50);
  for (const { stream } of uploads) stream.end(chunk);
  for (const { file } of uploads) (await file).release();
});
