import { createHmac, timingSafeEqual } from 'node:crypto';

/** A link shows the image as uploaded, a small version of it, the heatmap over it, or the anomaly map alone. */
export type FileVariant = 'image' | 'thumbnail' | 'heatmap' | 'anomaly-map';

export type SignedUrls = ReturnType<typeof createSignedUrls>;

const hourMs = 3_600_000;
// Expiry is rounded up to this, so that a page gets the same link again and the browser's cache holds.
const stepMs = 900_000;

export function createSignedUrls(dependencies: { secret: Uint8Array; origin: string; now: () => number }) {
  const mac = (variant: string, file: string, expires: string): Buffer =>
    createHmac('sha256', dependencies.secret).update(`${variant}\n${file}\n${expires}`).digest();

  return {
    /** A link that works without a header for an hour at least. */
    sign(variant: FileVariant, blob: string, format: string): string {
      const expires = String((Math.ceil((dependencies.now() + hourMs) / stepMs) * stepMs) / 1000);
      const file = `${blob}.${format}`;
      const signature = mac(variant, file, expires).toString('base64url');
      return `${dependencies.origin}/api/v1/files/${variant}/${file}?expires=${expires}&signature=${signature}`;
    },
    /** Whether the link is one of ours and still valid. */
    verify(variant: string, file: string, expires: string, signature: string): boolean {
      const expected = mac(variant, file, expires);
      const received = Buffer.from(signature, 'base64url');
      const genuine = received.length === expected.length && timingSafeEqual(received, expected);
      return genuine && /^\d{1,12}$/.test(expires) && Number(expires) * 1000 > dependencies.now();
    },
  };
}
