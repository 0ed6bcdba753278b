import { describe, expect, it } from 'vitest';
import { parseUploadedName } from './uploaded-name.ts';

describe('names of uploaded files', () => {
  it.each([
    ['bottle.png', { itemName: 'bottle', imageName: 'bottle.png', group: undefined }],
    ['part7/top.png', { itemName: 'part7', imageName: 'top.png', group: 'part7' }],
    ['a/part7/top.png', { itemName: 'part7', imageName: 'top.png', group: 'a/part7' }],
    ['C:\\images\\top.png', { itemName: 'images', imageName: 'top.png', group: 'C:/images' }],
    ['../../etc/passwd', { itemName: 'etc', imageName: 'passwd', group: 'etc' }],
    ['.png', { itemName: '.png', imageName: '.png', group: undefined }],
    ['..', { itemName: 'image', imageName: 'image', group: undefined }],
    ['top\u202egnp.exe', { itemName: 'topgnp', imageName: 'topgnp.exe', group: undefined }],
    ['line\nbreak.png', { itemName: 'linebreak', imageName: 'linebreak.png', group: undefined }],
    ['部品7/上面.png', { itemName: '部品7', imageName: '上面.png', group: '部品7' }],
  ])('%j', (name, expected) => {
    const { path, ...parsed } = parseUploadedName(name);
    expect(parsed).toEqual(expected);
    const { group, imageName } = expected;
    expect(path).toBe(group === undefined ? name.replace(/[\u202e\n]|^\.\.$/g, '') : `${group}/${imageName}`);
  });

  it('are cut to what a list can show', () => {
    expect(parseUploadedName(`${'x'.repeat(5000)}.png`).imageName).toHaveLength(200);
  });
});
