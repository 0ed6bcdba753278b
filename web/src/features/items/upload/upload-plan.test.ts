import { expect, it } from 'vitest';
import { planUpload } from './upload-plan.ts';

const chosen = (path: string) => ({ path, file: { name: path.split('/').at(-1) ?? path } as File });
const names = (plan: ReturnType<typeof planUpload>) => plan.map((files) => files.map((file) => file.name));

it('sends file by file in the order that a person counts in', () => {
  const files = [chosen('shot 12.jpg'), chosen('shot 2.jpg'), chosen('shot 1.jpg')];
  expect(names(planUpload(files, false))).toEqual([['shot 1.jpg'], ['shot 2.jpg'], ['shot 12.jpg']]);
});

it('takes folders for products only when told to; their names travel along then', () => {
  const files = [chosen('lot/p2/top.png'), chosen('lot/p1/side.png'), chosen('lot/p1/top.png'), chosen('loose.png')];
  expect(names(planUpload(files, false))).toEqual([['loose.png'], ['side.png'], ['top.png'], ['top.png']]);
  const grouped = [['lot/p1/side.png', 'lot/p1/top.png'], ['lot/p2/top.png'], ['loose.png']];
  expect(names(planUpload(files, true))).toEqual(grouped);
});
