import { expect, it } from 'vitest';
import { modelLabel } from './model-label.ts';

it('tells models of one name apart by their version, and leaves other names alone', () => {
  const first = { model_id: 'a', name: 'Flange', algorithm_id: 'patchcore', version: '2' };
  const refined = { ...first, model_id: 'b', version: '3' };
  const other = { ...first, model_id: 'c', name: 'Bolt' };
  const models = [first, refined, other];
  expect(models.map((model) => modelLabel(model, models))).toEqual([
    'Flange (patchcore v2)',
    'Flange (patchcore v3)',
    'Bolt',
  ]);
});

it('does not say a version twice', () => {
  const first = { model_id: 'a', name: 'patchcore v1', algorithm_id: 'patchcore', version: '1' };
  const refined = { ...first, model_id: 'b', version: '2' };
  expect([first, refined].map((model) => modelLabel(model, [first, refined]))).toEqual([
    'patchcore v1',
    'patchcore v1 (patchcore v2)',
  ]);
});
