import { statSync } from 'node:fs';
import { CommandError } from './command-error.ts';

/** @throws CommandError where a folder is named that is none: an empty search would say nothing of it */
export function checkFolder(folder: string | undefined): string | undefined {
  if (folder === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new CommandError(`${folder} is no folder. Name one with NAME.onnx and NAME.json, or leave it away.`);
}
