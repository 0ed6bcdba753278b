import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { fieldError } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import { packagePath } from '../../package-path.ts';
import { describeSchemaErrors } from '../../vision/schema-problems.ts';
import type { BackboneDescription, BackboneFile } from '../../vision/types.ts';

export type BackboneCatalogue = ReturnType<typeof createBackboneCatalogue>;

const bundledDir = packagePath('assets/backbones');
const outlineNetwork = packagePath('assets/outlines/outlines.onnx');

const channel = Type.Tuple([Type.Number(), Type.Number(), Type.Number()]);
const Description = Type.Object(
  {
    input: Type.String({ minLength: 1 }),
    outputs: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 8 }),
    mean: channel,
    std: channel,
    otherItemScore: Type.Optional(Type.Number({ minimum: 0 })),
    trunk: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: true },
);

/** Our own network and those that the user put into `BACKBONES_DIR`, each `NAME.onnx` with `NAME.json` beside it. */
export function createBackboneCatalogue(userDir: string | undefined) {
  const folders = userDir === undefined ? [bundledDir] : [bundledDir, userDir];

  const listBackbones = async (): Promise<string[]> => {
    const names: string[] = [];
    for (const folder of folders) {
      const files = await readdir(folder).catch((): string[] => []);
      const found = files.filter((file) => file.endsWith('.onnx') && files.includes(file.replace(/onnx$/, 'json')));
      names.push(...found.map((file) => file.replace(/\.onnx$/, '')));
    }
    return [...new Set(names)].sort();
  };

  const findFolder = async (id: string): Promise<string | undefined> => {
    for (const folder of folders)
      if ((await readdir(folder).catch((): string[] => [])).includes(`${id}.onnx`)) return folder;
    return undefined;
  };

  return {
    listBackbones,

    /**
     * `auto` stands for our own network in 8 bits, the faster one. The result has the name of the network itself.
     * @throws AppError `invalid-request` on `backbone` where no network has this name, or its description is wrong.
     */
    async getBackbone(given: string): Promise<BackboneFile> {
      const id = given === 'auto' ? 'kensa-int8' : given.replace(/\.onnx$/, '');
      const folder = await findFolder(id);
      if (folder === undefined) {
        const known = ['auto', ...(await listBackbones())];
        throw fieldError('invalid-request', 'backbone', say('backbone.unknown', { name: given, known }));
      }
      const [onnx, outlines] = await Promise.all([readFile(join(folder, `${id}.onnx`)), readFile(outlineNetwork)]);
      return { id, onnx, description: await readDescription(folder, id), outlines };
    },
  };
}

async function readDescription(folder: string, id: string): Promise<BackboneDescription> {
  const refuse = (reason: Message | Message[]) =>
    fieldError('invalid-request', 'backbone', say('backbone.description', { file: `${id}.json`, reason }));
  const text = await readFile(join(folder, `${id}.json`), 'utf8').catch(() => {
    throw refuse(say('backbone.description-missing', { fields: '{"input", "outputs", "mean", "std"}' }));
  });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw refuse(say('body.no-json'));
  }
  if (!Value.Check(Description, parsed)) {
    const problems = describeSchemaErrors(Value.Errors(Description, parsed));
    throw refuse(problems.map(({ key, problem }) => say('field.at', { key: key || id, problem })));
  }
  const { input, outputs, mean, std, otherItemScore, trunk } = parsed;
  return {
    input,
    outputs,
    mean,
    std,
    ...(otherItemScore !== undefined && { otherItemScore }),
    ...(trunk !== undefined && { trunk }),
  };
}
