import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { Preprocessing } from '../../../../src/client/shapes.ts';
import { api, ofTarget } from '../../api/kensa.ts';
import { useSettled } from '../../components/use-settled.ts';
import { t } from '../../i18n/text.ts';
import type { Size } from '../viewer/geometry.ts';
import { ImageFrame, useViewport } from '../viewer/image-frame.tsx';
import { usePointerDrag } from '../viewer/use-pointer-drag.ts';

export interface Preview extends Size {
  /** Undefined until it is computed. The last image stays until the next one is loaded. */
  readonly src: string | undefined;
  readonly busy: boolean;
  readonly error: string | undefined;
}

const settleMs = 250;

/** The item's first image after the steps, computed a moment after the last change. */
export function usePreview(targetId: number, itemId: string, steps: readonly Preprocessing[]): Preview {
  const given = JSON.stringify(steps);
  const settled = useSettled(given, settleMs);
  const { data, error, isFetching } = useQuery({
    queryKey: ['preview', targetId, itemId, settled],
    queryFn: async ({ signal }) => {
      const body = { item_id: itemId, preprocessing: JSON.parse(settled) as Preprocessing[] };
      const sent = { ...ofTarget(targetId), body, parseAs: 'blob', signal } as const;
      const { data: image = new Blob() } = await api.POST('/api/v1/targets/{target_id}/preview', sent);
      const { width, height } = await createImageBitmap(image);
      return { src: await toDataUrl(image), width, height };
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  return { src: undefined, width: 0, height: 0, ...data, busy: isFetching || given !== settled, error: error?.message };
}

function toDataUrl(image: Blob): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve) => {
    reader.onload = () => resolve(String(reader.result));
    reader.readAsDataURL(image);
  });
}

interface PreviewFrameProps extends Omit<ComponentProps<typeof ImageFrame>, 'size' | 'src'> {
  preview: Preview;
  hint?: string;
}

/** The image of a preview, with its size or its error below. */
export function PreviewFrame({ preview, hint, className, ...frame }: PreviewFrameProps) {
  return (
    <>
      <ImageFrame
        size={preview}
        src={preview.src}
        className={`aspect-square w-full rounded-md ${className}`}
        {...frame}
      />
      {preview.error === undefined ? (
        <p className="mt-2 flex justify-between gap-3 text-[13px] text-ink-soft">
          <span>{hint}</span>
          <span className="tabular-nums whitespace-nowrap">
            {preview.busy ? t('previewBusy') : `${preview.width} × ${preview.height}`}
          </span>
        </p>
      ) : (
        <p role="alert" className="mt-2 text-[13px] text-ng">
          {preview.error}
        </p>
      )}
    </>
  );
}

export const usePreviewViewport = (preview: Preview) => useViewport(preview, `${preview.width}×${preview.height}`);

export function PreviewImage({ preview, alt, testId }: { preview: Preview; alt: string; testId?: string }) {
  const control = usePreviewViewport(preview);
  const drag = usePointerDrag(control, () => undefined);
  return (
    <PreviewFrame
      preview={preview}
      control={control}
      alt={alt}
      data-testid={testId}
      className="cursor-grab"
      {...drag}
    />
  );
}
