import { expect, it } from 'vitest';
import { algorithms } from '../../../src/vision/algorithms/catalogue.ts';
import { steps } from '../../../src/vision/preprocess/steps.ts';
import type { ConfigSchema } from '../api/queries.ts';
import { messages } from './messages.ts';
import {
  algorithmNames,
  automaticValues,
  choiceTexts,
  englishHint,
  fieldTexts,
  parameterHelpOf,
  parameterTexts,
  stepHelps,
} from './server-words.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly (string | number)[];
}

const missingIn = (words: object, names: readonly string[]) => names.filter((name) => !(name in words));

it('has Japanese for every algorithm and parameter', () => {
  expect(
    missingIn(
      algorithmNames,
      algorithms.map(({ id }) => id),
    ),
  ).toEqual([]);
  const names = algorithms.flatMap(({ parameters }) => parameters.map(({ name }) => name));
  expect(missingIn(parameterTexts, names)).toEqual([]);
});

it('names no value in a help text that the page shows in other words, and no setting of the server', () => {
  const raw = algorithms.flatMap(({ id, parameters }) =>
    parameters.flatMap(({ name, dataType, rangeLower, help }) => {
      const values = dataType === 'enum' ? (rangeLower ?? '').split('|') : [];
      const words = [...values, '[A-Z]+_[A-Z]+'].map((word) => new RegExp(`\\b${word}\\b`));
      const texts = [help, parameterHelpOf(id, name) ?? ''];
      return texts.filter((text) => words.some((word) => word.test(text))).map((text) => `${id} ${name}: ${text}`);
    }),
  );
  expect(raw).toEqual([]);
});

it('names no value beside a field of a step that shows it in other words', () => {
  const raw = steps.flatMap(({ name: step, schema }) =>
    Object.entries((schema as Schema).properties ?? {}).flatMap(([name, field]) => {
      const values = [...(field.enum ?? []), 'true', 'false'].filter((value) => typeof value === 'string');
      const hint = englishHint(field as ConfigSchema) ?? '';
      return values.some((value) => new RegExp(`\\b${value}\\b`).test(hint)) ? [`${step} ${name}: ${hint}`] : [];
    }),
  );
  expect(raw).toEqual([]);
});

it('speaks of an automatic choice only where a parameter has one', () => {
  const wrong = algorithms.flatMap(({ id, parameters }) =>
    parameters.flatMap(({ name, defaultValue, rangeLower, help }) => {
      const automatic = automaticValues[name] ?? 'auto';
      if ([defaultValue, ...(rangeLower ?? '').split('|')].includes(automatic)) return [];
      const texts = [help, parameterHelpOf(id, name) ?? ''];
      return texts.filter((text) => /automatic:|自動[でに]/i.test(text)).map((text) => `${id} ${name}: ${text}`);
    }),
  );
  expect(wrong).toEqual([]);
});

it('has Japanese for every step, its fields and their choices', () => {
  const names = steps.map(({ name }) => name);
  expect(missingIn(messages.ja, names)).toEqual([]);
  expect(missingIn(stepHelps, names)).toEqual([]);
  const fields: [string, Schema][] = [];
  const collect = (schema: Schema): void => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      fields.push([name, field]);
      collect(field);
    }
  };
  for (const { schema } of steps) collect(schema as Schema);
  // Polygons are drawn.
  expect(
    missingIn(
      { ...fieldTexts, polygons: '' },
      fields.map(([name]) => name),
    ),
  ).toEqual([]);
  const choices = fields.flatMap(([, field]) => (field.enum ?? []).filter((choice) => typeof choice === 'string'));
  expect(choices.length).toBeGreaterThan(0);
  expect(missingIn(choiceTexts, choices)).toEqual([]);
});
