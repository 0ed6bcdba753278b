import { describe, expect, it } from 'vitest';
import { toEnglish } from '../../engine-messages.ts';
import { getFlag, getNumber } from '../../training/fit-input.ts';
import type { ParameterSpec } from '../../types.ts';
import type { Algorithm } from '../catalogue.ts';
import { parseParameterValues } from './parameter-values.ts';

const spec = (name: string, rest: Partial<ParameterSpec>): ParameterSpec => ({
  id: 1,
  name,
  displayName: name,
  dataType: 'int',
  defaultValue: '5',
  rangeLower: '1',
  rangeUpper: '10',
  help: '',
  ...rest,
});

const algorithm: Algorithm = {
  id: 'sample',
  name: 'Sample',
  type: 'anomaly_detection',
  attribute: 'unsupervised',
  version: '1',
  parameters: [
    spec('size', {}),
    spec('rate', { dataType: 'float', defaultValue: '0.01', rangeLower: '0.001', rangeUpper: '0.5' }),
    spec('turned', { dataType: 'bool', defaultValue: 'false', rangeLower: null, rangeUpper: null }),
    spec('mode', { dataType: 'enum', defaultValue: 'auto', rangeLower: 'auto|on|off', rangeUpper: null }),
    spec('file', { dataType: 'string', defaultValue: 'kensa', rangeLower: null, rangeUpper: null }),
  ],
  fit: () => Promise.reject(new Error('not fitted here')),
  open: () => Promise.reject(new Error('not opened here')),
  openRefinable: () => Promise.reject(new Error('not refined here')),
};

const issuesOf = (...overrides: [string, string][]): readonly { name: string; message: string }[] => {
  const parsed = parseParameterValues(
    algorithm,
    overrides.map(([name, value]) => ({ name, value })),
  );
  return 'issues' in parsed ? parsed.issues.map(({ name, message }) => ({ name, message: toEnglish(message) })) : [];
};

describe('parseParameterValues', () => {
  it('fills in defaults and reads every type', () => {
    expect(parseParameterValues(algorithm, [])).toEqual({
      values: { size: 5, rate: 0.01, turned: false, mode: 'auto', file: 'kensa' },
    });
    const overrides = { size: '10', rate: '5e-2', turned: 'TRUE', mode: 'off', file: 'my.onnx' };
    const parsed = parseParameterValues(
      algorithm,
      Object.entries(overrides).map(([name, value]) => ({ name, value })),
    );
    expect(parsed).toEqual({ values: { size: 10, rate: 0.05, turned: true, mode: 'off', file: 'my.onnx' } });
  });

  it.each([
    ['size', '0'],
    ['size', '11'],
    ['size', '2.5'],
    ['size', ''],
    ['size', 'NaN'],
    ['size', '0x5'],
    ['rate', '0.6'],
    ['rate', 'Infinity'],
    ['turned', 'yes'],
    ['mode', 'auto|on'],
    ['file', ''],
    ['nothing', '1'],
  ])('refuses %s = "%s" by name', (name, value) => {
    expect(issuesOf([name, value]).map((issue) => issue.name)).toEqual([name]);
  });

  it('reports all problems at once, duplicates too', () => {
    expect(issuesOf(['size', '99'], ['rate', 'x'], ['mode', 'on'], ['mode', 'off'])).toHaveLength(3);
    expect(issuesOf(['size', '99'])[0]?.message).toBe('must be a whole number from 1 to 10, received "99".');
  });
});

describe('typed getters', () => {
  it('give the value or say what is wrong', () => {
    expect([getNumber({ a: 1 }, 'a'), getFlag({ a: true }, 'a')]).toEqual([1, true]);
    expect(() => getNumber({ a: '1' }, 'a')).toThrow('a number is needed');
    expect(() => getFlag({}, 'a')).toThrow('true or false');
  });
});
