import { t } from '../../i18n/text.ts';
import { ImageFrame } from '../viewer/image-frame.tsx';
import { usePointerDrag } from '../viewer/use-pointer-drag.ts';
import { useViewport } from '../viewer/use-viewport.ts';
import type { Preview } from './use-preview.ts';

export const frameClass = 'aspect-square w-full rounded-md';

export function PreviewImage({ preview, alt, testId }: { preview: Preview; alt: string; testId?: string }) {
  const control = useViewport(preview, `${preview.width}×${preview.height}`);
  const drag = usePointerDrag(control, () => undefined);
  return (
    <>
      <ImageFrame
        control={control}
        size={preview}
        src={preview.src}
        alt={alt}
        data-testid={testId}
        className={`${frameClass} cursor-grab`}
        {...drag}
      />
      <PreviewNote preview={preview} />
    </>
  );
}

export function PreviewNote({ preview, hint }: { preview: Preview; hint?: string }) {
  if (preview.error !== undefined) {
    return (
      <p role="alert" className="mt-2 text-[13px] text-ng">
        {preview.error}
      </p>
    );
  }
  return (
    <p className="mt-2 flex justify-between gap-3 text-[13px] text-ink-soft">
      <span>{hint}</span>
      <span className="tabular-nums whitespace-nowrap">
        {preview.busy ? t('previewBusy') : `${preview.width} × ${preview.height}`}
      </span>
    </p>
  );
}
