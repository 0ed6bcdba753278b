import { loadConfig } from '../../src/config.ts';
import { parseAddItemFields } from '../../src/domains/items/add-item-fields.ts';
import { parseUploadedName } from '../../src/domains/items/uploaded-name.ts';
import { parseIgnoreOuter } from '../../src/vision/anomaly-map/inspected-map.ts';
import type { Random } from '../../src/vision/types.ts';
import { type FuzzTarget, pick } from './fuzz-target.ts';
import { feedLicense, feedSignedLicense } from './license-statements.ts';
import { feedMultipart } from './multipart-bodies.ts';
import { mutateText } from './mutate.ts';

const margins = ['none', '5%', '12px', '5% 10px', '1px 2px 3px 4px', '0.5%', '10px 5% 0 0'];
const names = ['bottle.png', 'part7/top.png', '../../etc/passwd', 'C:\\a\\b.png', '部品7/上面.png'];

function feedName(random: Random): void {
  const { imageName, itemName } = parseUploadedName(mutateText(pick(names, random), random));
  if (/[\p{Cc}/\\]/u.test(imageName + itemName) || imageName === '' || itemName === '' || imageName === '..') {
    throw new Error(`a name that may mislead: ${JSON.stringify({ imageName, itemName })}`);
  }
}

export const requestTargets: readonly FuzzTarget[] = [
  { name: 'margins', slowness: 1, feed: (random) => parseIgnoreOuter(mutateText(pick(margins, random), random)) },
  { name: 'names of uploaded files', slowness: 1, feed: feedName },
  {
    name: 'fields of an upload',
    slowness: 1,
    feed: (random) =>
      parseAddItemFields({
        training: mutateText('true', random),
        good: mutateText('0', random),
        item_name: mutateText('part 7', random),
        [mutateText('model_id', random)]: mutateText('active', random),
      }),
  },
  {
    name: 'settings',
    slowness: 10,
    feed: (random) =>
      loadConfig({
        PORT: mutateText('8080', random),
        BLOB_URL: mutateText('s3+http://k:s@h/b', random),
        KENSA_WORKERS: mutateText('2', random),
      }),
  },
  { name: 'license', slowness: 4, feed: feedLicense },
  { name: 'license, signed by the vendor', slowness: 4, feed: feedSignedLicense },
  { name: 'multipart', slowness: 10, feed: feedMultipart },
];
