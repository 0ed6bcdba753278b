import { useEffect, useRef, useState } from 'react';
import { refreshAll } from '../../../api/query-client.ts';
import { Button, FileButton } from '../../../components/button.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Checkbox } from '../../../components/field.tsx';
import { ProgressBar } from '../../../components/loading.tsx';
import type { MessageKey } from '../../../i18n/messages/index.ts';
import { useText } from '../../../i18n/use-text.ts';
import { runUpload, type UploadState } from './run-upload.ts';
import { type ChosenFile, chosenFiles, planUpload, type UploadPurpose } from './upload-plan.ts';

interface UploadDialogProps {
  /** Other files may be dropped while the window is open. */
  files: readonly ChosenFile[];
  onFiles: (files: ChosenFile[]) => void;
  purpose: UploadPurpose;
  hasActiveModel: boolean;
  onClose: (purpose: UploadPurpose | undefined) => void;
}

type Phase = 'choosing' | 'sending' | 'finished';

export function UploadDialog({ files, onFiles, purpose: proposed, hasActiveModel, onClose }: UploadDialogProps) {
  const t = useText();
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
    await refreshAll();
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
          files={files}
          purpose={purpose}
          grouped={grouped}
          hasActiveModel={hasActiveModel}
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

const imageTypes = 'image/jpeg,image/png,image/webp,image/tiff,image/bmp';

interface UploadFormProps {
  files: readonly ChosenFile[];
  purpose: UploadPurpose;
  grouped: boolean;
  hasActiveModel: boolean;
  onFiles: (files: ChosenFile[]) => void;
  onPurpose: (purpose: UploadPurpose) => void;
  onGrouped: (grouped: boolean) => void;
}

function UploadForm(props: UploadFormProps) {
  const { files, purpose, grouped, hasActiveModel, onFiles, onPurpose, onGrouped } = props;
  const t = useText();
  const choose = (list: FileList) => onFiles(chosenFiles(list));
  const purposes: [UploadPurpose, MessageKey][] = [
    ['good', 'uploadGood'],
    ['ng', 'uploadNg'],
    hasActiveModel ? ['inspect', 'uploadInspect'] : ['store', 'uploadStore'],
  ];
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <FileButton icon="upload" label={t('chooseFiles')} choose="files" accept={imageTypes} onFiles={choose} />
        <FileButton icon="folder" label={t('chooseFolder')} choose="folder" onFiles={choose} />
        <span aria-live="polite" className="text-ink-soft">
          {files.length > 0 ? t('uploadChosen', { n: files.length }) : t('uploadFormats')}
        </span>
      </div>
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-[13px] font-medium">{t('uploadWhat')}</legend>
        {purposes.map(([value, label]) => (
          <label key={value} className="flex min-h-9 items-center gap-2.5">
            <input
              type="radio"
              name="purpose"
              className="size-4 accent-(--accent)"
              checked={purpose === value}
              onChange={() => onPurpose(value)}
            />
            {t(label)}
          </label>
        ))}
        {!hasActiveModel && purpose === 'store' && <p className="text-[13px] text-ink-soft">{t('uploadNoModel')}</p>}
      </fieldset>
      {files.some((file) => file.path.includes('/')) && (
        <Checkbox label={t('uploadGroup')} checked={grouped} onChange={(event) => onGrouped(event.target.checked)} />
      )}
    </div>
  );
}

/** How many files were taken, and why others were refused. */
function UploadReport({ state, total, finished }: { state: UploadState; total: number; finished: boolean }) {
  const t = useText();
  const { done, taken, refused, waiting } = state;
  return (
    <div className="flex flex-col gap-3">
      {!finished && <ProgressBar value={done / total} label={t('uploadTitle')} />}
      <p aria-live="polite">
        {finished ? t('uploadDone', { n: taken }) : t('uploadProgress', { done, total })}
        {waiting && ` ${t('uploadBusy')}`}
      </p>
      {finished && done < total && <p className="text-warn">{t('uploadStopped', { n: total - done })}</p>}
      {refused.length > 0 && (
        <>
          <p role="alert" className="font-medium text-ng">
            {t('uploadRefused', { n: refused.length })}
          </p>
          <DataTable
            caption={t('uploadRefused', { n: refused.length })}
            columns={[
              { title: t('fileName'), cell: (row) => <span className="block min-w-36 break-all">{row.name}</span> },
              { title: t('reason'), cell: (row) => row.reason },
            ]}
            rows={refused}
            rowKey={(row) => row.name}
          />
        </>
      )}
    </div>
  );
}
