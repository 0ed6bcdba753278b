import { describe, expect, it } from 'vitest';
import { createBackboneCatalogue } from './backbone-catalogue.ts';

describe('createBackboneCatalogue', () => {
  it('takes for auto the network in 8 bits', async () => {
    expect((await createBackboneCatalogue(undefined).getBackbone('auto')).id).toBe('kensa-int8');
  });

  it('names the known networks if a name is not known', async () => {
    await expect(createBackboneCatalogue(undefined).getBackbone('nothing')).rejects.toMatchObject({
      code: 'invalid-request',
      problems: [{ key: 'backbone' }],
      message: expect.stringMatching(/Known: auto, kensa, kensa-int8/),
    });
  });
});
