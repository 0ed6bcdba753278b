import type { Db } from '../../storage/database.ts';

export type RemovedImageStore = ReturnType<typeof createRemovedImageStore>;

/** What is left of images that retention removed. */
export function createRemovedImageStore(db: Db) {
  const images = (blob: string) =>
    db
      .selectFrom('item_images')
      .innerJoin('items', 'items.item_id', 'item_images.item_id')
      .where('item_images.blob', '=', blob)
      .where('items.images_removed_at', 'is not', null);
  return {
    async findThumbnail(blob: string): Promise<Buffer | undefined> {
      const kept = images(blob).innerJoin('thumbnails', (join) =>
        join
          .onRef('thumbnails.item_id', '=', 'item_images.item_id')
          .onRef('thumbnails.position', '=', 'item_images.position'),
      );
      return (await kept.select('thumbnails.webp').limit(1).executeTakeFirst())?.webp;
    },

    /** When an image with this blob, or the image under this heatmap, was removed. */
    async findRemovalTime(hash: string): Promise<string | undefined> {
      const removed = await images(hash)
        .select('items.images_removed_at as at')
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (removed) return removed.at ?? undefined;
      const heatmap = await db
        .selectFrom('assessment_images')
        .innerJoin('items', 'items.item_id', 'assessment_images.item_id')
        .select('items.images_removed_at as at')
        .where('heatmap_id', '=', hash)
        .where('items.images_removed_at', 'is not', null)
        .limit(1)
        .executeTakeFirst();
      return heatmap?.at ?? undefined;
    },
  };
}
