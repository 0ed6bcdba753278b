import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backendsHere } from '../support/backends.ts';
import { stripes } from '../support/trained-model.ts';
import { expectWhole, openPlant, type Plant, work } from './plant.ts';
import { openRig, type Rig } from './rig.ts';

describe.each(backendsHere)('on %s, an image', (backend) => {
  let rig: Rig;
  let plant: Plant;
  beforeAll(async () => {
    rig = await openRig(backend);
    plant = await openPlant(rig.service);
  });
  afterAll(() => rig.stop());

  it.each([
    ['flip a bit', 31, 500],
    ['remove', 32, 404],
  ] as const)(
    'whose blob was made to %s is neither inspected nor shown; the others are',
    async (how, phase, status) => {
      const { client, url } = rig.service;
      const bytes = await stripes(phase);
      const [id = ''] = await client.uploadItems([{ name: 'damaged.png', bytes }], { training: 'false' });
      rig.damageBlob(bytes, how);
      await client.predictItems('active', [id]);
      const [item] = await client.waitForItems([id]);
      expect(item?.status).toBe('failed');
      expect(item?.status_text).toMatch(/[a-z]+ [a-z]+/i);
      expect(item?.assessments).toEqual([]);
      const { images } = await client.request<{ images: { url: string }[] }>('GET', `/api/v1/items/${id}`);
      expect((await fetch(`${url}${images[0]?.url}`)).status).toBe(status);
      await client.request('DELETE', '/api/v1/items/', { item_ids: [id] });
      await work(plant, client, 1, phase);
      await expectWhole(plant, rig.service);
    },
  );
});
