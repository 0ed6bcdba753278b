import { AppError, fieldError } from '../../errors.ts';
import type { ComputePool } from '../../jobs/compute/compute-pool.ts';
import { type Message, say, statusView, storeMessages } from '../../messages/message.ts';
import { nameOfStatus } from '../../messages/value-names.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { Rectangle } from '../../vision/types.ts';
import type { SignedUrls } from '../files/signed-urls.ts';
import { imageView } from '../items/item-view.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelsService } from '../models/models.service.ts';
import { sourceOf } from './model-source.ts';
import type { NearestGoodRequest, NearestGoodView } from './nearest-good.schemas.ts';

export type NearestGoodService = ReturnType<typeof createNearestGoodService>;

/** Of so many training images all patches are compared. */
const comparedImages = 5;

/** Finds what a model compares a place of an item with: the most similar patch of its good training images. */
export function createNearestGoodService(dependencies: {
  items: ItemsService;
  models: ModelsService;
  blobs: BlobStore;
  pool: ComputePool;
  urls: SignedUrls;
}) {
  const { items, models, blobs, pool, urls } = dependencies;
  return {
    /** @throws AppError `item-not-found`, `model-not-found`, `model-not-ready`, `images-removed`, `invalid-request`. */
    async findNearestGood(itemId: string, request: NearestGoodRequest): Promise<NearestGoodView> {
      const { item, images } = await items.getItem(itemId);
      const model = await models.requireModel(request.model_id);
      if (model.status !== 'ready') {
        const remedy = say('model.only-ready-compares');
        throw new AppError('model-not-ready', {
          id: model.model_id,
          status: nameOfStatus(model.status),
          remedy,
        });
      }
      if (item.images_removed_at !== null) throw new AppError('images-removed', { ids: item.item_id });
      const image = request.image === undefined ? images[0] : images.find(({ name }) => name === request.image);
      if (!image) {
        const allowed = images.map(({ name }) => name);
        throw fieldError('invalid-request', 'image', say('field.one-of', { allowed, received: `"${request.image}"` }));
      }
      const point = pointOf(request, image);
      const known = { item_id: item.item_id, model_id: model.model_id, image: image.name };
      const without = (reason: Message, found: Partial<NearestGoodView> = {}): NearestGoodView => ({
        ...known,
        place: null,
        nearest: null,
        unavailable: 0,
        ...found,
        ...statusView(storeMessages([reason])),
      });

      const source = sourceOf(model, blobs);
      const ofModel = { model: source.hash, backbone: source.backbone.hash };
      const options = { ignoreOuter: model.ignore_outer, ...(point && { point }) };
      const bytes = await blobs.get(image.blob);
      const modelFile = await source.load();
      const asked = await pool.run({ kind: 'explain', ...ofModel, modelFile, image: bytes, options }, source);
      if (!asked) return without(say('nearest.no-memory'));
      const place = placeView(asked.place);
      if (!asked.sources) return without(say('nearest.no-record'), { place });
      // The item may be one of the training images: it is no explanation of itself.
      const others = asked.sources.filter((blob) => blob !== image.blob);
      const available = await items.findByBlobs(others, model.model_id);
      const compared = others.filter((blob) => available.has(blob)).slice(0, comparedImages);
      const files = await Promise.all(compared.map((blob) => blobs.get(blob)));
      const match =
        files.length === 0 ? undefined : await pool.run({ kind: 'match', ...ofModel, images: files, asked }, source);
      const matched = match && compared[match.image];
      const found = matched === undefined ? undefined : available.get(matched);
      const nearer = matched === undefined ? others : others.slice(0, others.indexOf(matched));
      const unavailable = nearer.filter((blob) => !available.has(blob)).length;
      if (!match || !found) return without(say('nearest.unavailable'), { place, unavailable });
      const { a, b, c, d, e, f } = match.toAsked;
      return {
        ...known,
        place,
        nearest: {
          item_id: found.item.item_id,
          item_name: found.item.name,
          user_result: found.item.user_result,
          image: imageView(found.image, found.item, urls),
          place: placeView(match.place),
          distance: match.distance,
          transform: [a, b, c, d, e, f],
          registered: match.registered,
        },
        unavailable,
        status_text: null,
        status_messages: [],
      };
    },
  };
}

/** @throws AppError `invalid-request` where it is only half, or not in the image. */
function pointOf({ x, y }: NearestGoodRequest, { width, height }: { width: number; height: number }) {
  if (x === undefined && y === undefined) return undefined;
  if (x === undefined || y === undefined)
    throw fieldError('invalid-request', x === undefined ? 'x' : 'y', say('field.required'));
  const check = (field: string, received: number, limit: number): void => {
    if (received > limit) throw fieldError('invalid-request', field, say('field.maximum', { limit, received }));
  };
  check('x', x, width);
  check('y', y, height);
  return { x, y };
}

const placeView = ({ xMin, yMin, xMax, yMax }: Rectangle) => ({ x_min: xMin, y_min: yMin, x_max: xMax, y_max: yMax });
