/** Writes the field tables of docs/preprocessing.md from the steps' schemas: `node --import tsx scripts/make-step-docs.ts`. */
import { readFile, writeFile } from 'node:fs/promises';
import { steps } from '../src/vision/preprocess/steps.ts';
import { fillFields } from './step-docs.ts';

const path = new URL('../docs/preprocessing.md', import.meta.url);
const document = await readFile(path, 'utf8');
await writeFile(path, steps.reduce(fillFields, document));
