import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { useText } from '../../../i18n/use-text.ts';
import type { ChosenFile } from './dropped-files.ts';
import { runUpload, type UploadState } from './run-upload.ts';
import { UploadForm } from './upload-form.tsx';
import { planUpload, type UploadPurpose } from './upload-plan.ts';
import { UploadReport } from './upload-report.tsx';

interface UploadDialogProps {
  /** More may be dropped while the window is open. */
  files: readonly ChosenFile[];
  onFiles: (files: ChosenFile[]) => void;
  purpose: UploadPurpose;
  hasActiveModel: boolean;
  onClose: (purpose: UploadPurpose | undefined) => void;
}

type Phase = 'choosing' | 'sending' | 'finished';

export function UploadDialog({ files, onFiles, purpose: proposed, hasActiveModel, onClose }: UploadDialogProps) {
  const t = useText();
  const queryClient = useQueryClient();
  const [total, setTotal] = useState(0);
  const [purpose, setPurpose] = useState(proposed);
  const [grouped, setGrouped] = useState(false);
  const [phase, setPhase] = useState<Phase>('choosing');
  const [state, setState] = useState<UploadState>({ done: 0, taken: 0, refused: [], waiting: false });
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  const start = async () => {
    const controller = new AbortController();
    stop.current = controller;
    setTotal(files.length);
    setPhase('sending');
    await runUpload(planUpload(files, grouped), purpose, setState, controller.signal);
    setPhase('finished');
    await queryClient.invalidateQueries();
  };
  const close = () => onClose(phase === 'finished' ? purpose : undefined);

  return (
    <Dialog
      title={t('uploadTitle')}
      {...(phase === 'sending' ? {} : { onClose: close })}
      footer={
        phase === 'choosing' ? (
          <Button look="primary" disabled={files.length === 0} onClick={start}>
            {t('uploadStart', { n: files.length })}
          </Button>
        ) : phase === 'sending' ? (
          <Button onClick={() => stop.current?.abort()}>{t('uploadStop')}</Button>
        ) : (
          <Button look="primary" onClick={close}>
            {t('close')}
          </Button>
        )
      }
    >
      {phase === 'choosing' ? (
        <UploadForm
          {...{ files, purpose, grouped, hasActiveModel }}
          onFiles={onFiles}
          onPurpose={setPurpose}
          onGrouped={setGrouped}
        />
      ) : (
        <UploadReport state={state} total={total} finished={phase === 'finished'} />
      )}
    </Dialog>
  );
}
