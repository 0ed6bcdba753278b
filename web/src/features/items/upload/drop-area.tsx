import { type DragEvent, type ReactNode, useState } from 'react';
import { may } from '../../../api/session.ts';
import { Icon } from '../../../components/icon.tsx';
import { t } from '../../../i18n/text.ts';
import { type ChosenFile, droppedFiles } from './upload-plan.ts';

/** Files may be dropped anywhere on its content. */
export function DropArea({ onFiles, children }: { onFiles: (files: ChosenFile[]) => void; children: ReactNode }) {
  // The browser reports entering a child before leaving its parent.
  const [depth, setDepth] = useState(0);
  const carriesFiles = (event: DragEvent) => may('inspector') && event.dataTransfer.types.includes('Files');
  const onDrop = async (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    setDepth(0);
    const files = await droppedFiles(event.dataTransfer);
    if (files.length > 0) onFiles(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has a button beside it that does the same
    <div
      data-testid="drop-area"
      className="relative min-h-full"
      onDragEnter={(event) => carriesFiles(event) && setDepth((before) => before + 1)}
      onDragLeave={(event) => carriesFiles(event) && setDepth((before) => Math.max(0, before - 1))}
      onDragOver={(event) => carriesFiles(event) && event.preventDefault()}
      onDrop={onDrop}
    >
      {children}
      {depth > 0 && (
        <div className="pointer-events-none fixed inset-4 z-30 flex items-center justify-center rounded-2xl border-4 border-dashed border-accent bg-surface/85">
          <p className="flex items-center gap-3 text-xl font-semibold text-accent">
            <Icon name="upload" size={30} />
            {t('dropHere')}
          </p>
        </div>
      )}
    </div>
  );
}
