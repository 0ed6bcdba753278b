import { expect, it } from 'vitest';
import { modelLabel } from './model-label.ts';

const label = (model: Parameters<typeof modelLabel>[0], models: Parameters<typeof modelLabel>[1]) =>
  modelLabel(model, models, (id) => ({ patchcore: 'PatchCore' })[id] ?? id);

it('tells models of one name apart by their version, and leaves other names alone', () => {
  const first = { model_id: 'a', name: 'Flange', algorithm_id: 'patchcore', version: '2' };
  const refined = { ...first, model_id: 'b', version: '3' };
  const other = { ...first, model_id: 'c', name: 'Bolt' };
  const models = [first, refined, other];
  expect(models.map((model) => label(model, models))).toEqual([
    'Flange (PatchCore v2)',
    'Flange (PatchCore v3)',
    'Bolt',
  ]);
});

it('does not say a version twice', () => {
  const first = { model_id: 'a', name: 'patchcore v1', algorithm_id: 'patchcore', version: '1' };
  const refined = { ...first, model_id: 'b', version: '2' };
  expect([first, refined].map((model) => label(model, [first, refined]))).toEqual([
    'patchcore v1',
    'patchcore v1 (PatchCore v2)',
  ]);
});
