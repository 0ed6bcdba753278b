import { expect, it } from 'vitest';
import { runKensa } from '../../../test/support/spawn-service.ts';

it('names the products that exist where another one is asked for', async () => {
  const { code, output } = await runKensa(['demo', '--once', '--product', 'woven-fabric'], {});
  expect(code).toBe(1);
  expect(output).toContain("'woven-fabric' is invalid. Allowed choices are machined-part, all.");
});
