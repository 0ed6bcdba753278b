import { statSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { loadConfig } from '../config.ts';
import { type BackboneCatalogue, createBackboneCatalogue } from '../domains/algorithms/backbone-catalogue.ts';
import { render } from '../messages/message.ts';
import { type Algorithm, algorithms, findAlgorithm } from '../vision/algorithms/catalogue.ts';
import { type ParameterOverride, parseParameterValues } from '../vision/algorithms/contract/parameter-values.ts';
import type { BackboneFile, ParameterValues } from '../vision/types.ts';
import { CommandError } from './command-error.ts';

const algorithmIds = algorithms.map(({ id }) => id).join(', ');

export interface AlgorithmOptions {
  readonly algorithm: string;
  /** Parameters, each as `name=value`. */
  readonly param: readonly string[];
  /** Folder of the user's own networks; absent: the setting `BACKBONES_DIR`. */
  readonly backbones?: string | undefined;
}

export function addAlgorithmOptions(command: Command): Command {
  const collect = (value: string, earlier: readonly string[]) => [...earlier, value];
  const param = new Option('--param <name=value>', 'a parameter of the algorithm, any number of times');
  return command
    .addOption(new Option('--algorithm <id>', `one of ${algorithmIds}`).default('patchcore'))
    .addOption(param.argParser(collect).default([], 'none'))
    .addOption(backbonesOption());
}

export function backbonesOption(): Option {
  return new Option('--backbones <folder>', 'folder of your own ONNX networks (default: the setting BACKBONES_DIR)');
}

/**
 * The networks that come with Kensa, and those of a folder.
 * @throws CommandError if the folder does not exist: a search in it would find nothing and say nothing
 */
export function openBackbones(folder: string | undefined): BackboneCatalogue {
  const userDir = folder ?? loadConfig().BACKBONES_DIR;
  if (userDir !== undefined && !statSync(userDir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CommandError(`${userDir} is not a folder. Name one with NAME.onnx and NAME.json in it, or none at all.`);
  }
  return createBackboneCatalogue(userDir);
}

/** @throws CommandError that names each bad parameter; AppError for a network */
export async function openAlgorithm({
  algorithm: id,
  param,
  backbones,
}: AlgorithmOptions): Promise<{ algorithm: Algorithm; values: ParameterValues; backbone: BackboneFile }> {
  const algorithm = findAlgorithm(id);
  if (!algorithm) throw new CommandError(`There is no algorithm ${id}; there are ${algorithmIds}.`);
  const parsed = parseParameterValues(algorithm, param.map(parseOverride));
  if ('issues' in parsed) {
    throw new CommandError(parsed.issues.map(({ name, message }) => `${name} ${render(message, 'en')}`).join(' '));
  }
  const backbone = await openBackbones(backbones).getBackbone(String(parsed.values['backbone'] ?? 'kensa'));
  return { algorithm, values: parsed.values, backbone };
}

function parseOverride(text: string): ParameterOverride {
  const split = text.indexOf('=');
  if (split < 1) throw new CommandError(`--param is "${text}"; write it as name=value.`);
  return { name: text.slice(0, split), value: text.slice(split + 1) };
}

/** Plain digits only. @throws InvalidArgumentError, to which commander adds the option's name */
export function parseNumber(text: string): number {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

/** A count, from 1 up. @throws InvalidArgumentError */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 up.');
  return Number(text);
}
