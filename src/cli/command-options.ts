import { statSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { loadConfig } from '../config.ts';
import { type BackboneCatalogue, createBackboneCatalogue } from '../domains/algorithms/backbone-catalogue.ts';
import { render } from '../messages/message.ts';
import { algorithms, findAlgorithm } from '../vision/algorithms/catalogue.ts';
import type { Algorithm } from '../vision/algorithms/contract/algorithm.ts';
import { type ParameterOverride, parseParameterValues } from '../vision/algorithms/contract/parameter-values.ts';
import type { ParameterValues } from '../vision/types.ts';
import { CommandError } from './command-error.ts';

export function algorithmOption(): Option {
  const known = algorithms.map(({ id }) => id).join(', ');
  return new Option('--algorithm <id>', `one of ${known}`).default('patchcore');
}

export function parameterOption(): Option {
  const collect = (value: string, earlier: readonly string[]) => [...earlier, value];
  return new Option('--param <name=value>', 'a parameter of the algorithm, any number of times')
    .argParser(collect)
    .default([], 'none');
}

export function backbonesOption(): Option {
  return new Option('--backbones <folder>', 'folder of your own ONNX networks (default: the setting BACKBONES_DIR)');
}

/**
 * The networks that come with Kensa, and those of a folder.
 * @param folder of `--backbones`; absent: the setting `BACKBONES_DIR`
 * @throws CommandError where the folder does not exist: a search in it would find nothing and say nothing
 */
export function openBackbones(folder: string | undefined): BackboneCatalogue {
  const userDir = folder ?? loadConfig().BACKBONES_DIR;
  if (userDir !== undefined && !statSync(userDir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CommandError(`${userDir} is not a folder. Name one with NAME.onnx and NAME.json in it, or none at all.`);
  }
  return createBackboneCatalogue(userDir);
}

/** @throws CommandError where one is not `name=value` */
export function parseOverrides(given: readonly string[]): ParameterOverride[] {
  return given.map((text) => {
    const split = text.indexOf('=');
    if (split < 1) throw new CommandError(`--param is "${text}"; write it as name=value.`);
    return { name: text.slice(0, split), value: text.slice(split + 1) };
  });
}

/** @throws CommandError naming each bad parameter. */
export function parseAlgorithmOptions(
  algorithmId: string,
  overrides: readonly ParameterOverride[],
): { algorithm: Algorithm; values: ParameterValues } {
  const algorithm = findAlgorithm(algorithmId);
  if (!algorithm) {
    const known = algorithms.map(({ id }) => id).join(', ');
    throw new CommandError(`There is no algorithm ${algorithmId}; there are ${known}.`);
  }
  const parsed = parseParameterValues(algorithm, overrides);
  if (!('issues' in parsed)) return { algorithm, values: parsed.values };
  throw new CommandError(parsed.issues.map(({ name, message }) => `${name} ${render(message, 'en')}`).join(' '));
}

/** For an option that takes a number in plain digits. @throws InvalidArgumentError, to which commander adds the option's name */
export function parseNumber(text: string): number {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

/** A count, from 1 up. @throws InvalidArgumentError */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 up.');
  return Number(text);
}
