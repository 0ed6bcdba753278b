import { useEffect, useRef, useState } from 'react';
import { KensaError } from '../../../../../src/client/kensa-error.ts';
import { type UploadFields, uploadItems } from '../../../../../src/client/transfer.ts';
import { pause } from '../../../../../src/client/wait-for.ts';
import { api } from '../../../api/kensa.ts';
import { problemsOf, refreshAll } from '../../../api/queries.ts';
import { Button, FileButton } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Checkbox } from '../../../components/field.tsx';
import { DataTable, ProgressBar } from '../../../components/page.tsx';
import { type MessageKey, t } from '../../../i18n/text.ts';
import {
  type ChosenFile,
  chosenFiles,
  inFolder,
  planUpload,
  type UploadFiles,
  type UploadPurpose,
} from './upload-plan.ts';

interface UploadDialogProps {
  /** Other files may be dropped while the window is open. */
  files: readonly ChosenFile[];
  onFiles: (files: ChosenFile[]) => void;
  /** What is chosen at first. */
  purpose: UploadPurpose;
  hasActiveModel: boolean;
  /** Gets the purpose of the files that were sent. */
  onClose: (purpose: UploadPurpose | undefined) => void;
}

const imageTypes = 'image/jpeg,image/png,image/webp,image/tiff,image/bmp';

export function UploadDialog({ files, onFiles, purpose: proposed, hasActiveModel, onClose }: UploadDialogProps) {
  const [purpose, setPurpose] = useState(proposed);
  const [grouped, setGrouped] = useState(false);
  const [phase, setPhase] = useState<'choosing' | 'sending' | 'finished'>('choosing');
  const [total, setTotal] = useState(0);
  const [state, setState] = useState<UploadState>({ done: 0, accepted: 0, refused: [], waiting: false });
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
  const buttons = {
    choosing: (
      <Button
        label={t('uploadStart', { n: files.length })}
        look="primary"
        disabled={files.length === 0}
        onClick={start}
      />
    ),
    sending: <Button label={t('uploadStop')} onClick={() => stop.current?.abort()} />,
    finished: <Button label={t('close')} look="primary" onClick={close} />,
  };
  const purposes: [UploadPurpose, MessageKey][] = [
    ['good', 'uploadGood'],
    ['ng', 'uploadNg'],
    hasActiveModel ? ['inspect', 'uploadInspect'] : ['store', 'uploadStore'],
  ];
  const choose = (list: FileList) => onFiles(chosenFiles(list));
  return (
    <Dialog title={t('addImages')} {...(phase === 'sending' ? {} : { onClose: close })} footer={buttons[phase]}>
      {phase === 'choosing' ? (
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
              <Checkbox
                key={value}
                type="radio"
                name="purpose"
                label={t(label)}
                checked={purpose === value}
                onChange={() => setPurpose(value)}
              />
            ))}
            {purpose === 'store' && <p className="text-[13px] text-ink-soft">{t('uploadNoModel')}</p>}
          </fieldset>
          {files.some(inFolder) && (
            <Checkbox label={t('uploadGroup')} checked={grouped} onChange={() => setGrouped(!grouped)} />
          )}
        </div>
      ) : (
        <UploadReport state={state} total={total} finished={phase === 'finished'} />
      )}
    </Dialog>
  );
}

/** How many files were accepted, and why others were refused. */
function UploadReport({ state, total, finished }: { state: UploadState; total: number; finished: boolean }) {
  const { done, accepted, refused, waiting } = state;
  return (
    <div className="flex flex-col gap-3">
      {!finished && <ProgressBar value={done / total} label={t('addImages')} />}
      <p aria-live="polite">
        {finished ? t('uploadDone', { n: accepted }) : t('uploadProgress', { done, total })}
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

export interface UploadState {
  readonly done: number;
  readonly accepted: number;
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
  /** The server is busy. */
  readonly waiting: boolean;
}

const requestsAtOnce = 4;

/** Sends the requests, a few at a time, and reports after each. Resolves when all are sent, or when `signal` aborts. */
export async function runUpload(
  requests: readonly UploadFiles[],
  purpose: UploadPurpose,
  report: (change: (state: UploadState) => UploadState) => void,
  signal: AbortSignal,
): Promise<void> {
  const queue = [...requests];
  const send = async (files: UploadFiles): Promise<void> => {
    try {
      await uploadItems(api, files, fieldsOf[purpose], signal);
      report((state) => ({
        ...state,
        done: state.done + files.length,
        accepted: state.accepted + files.length,
        waiting: false,
      }));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof KensaError && (error.status === 425 || error.status === 503)) {
        report((state) => ({ ...state, waiting: true }));
        queue.unshift(files);
        return pause(1000 * (error.retryAfter ?? 2));
      }
      const refused = files.map(({ name }) => ({ name, reason: reasonFor(name, error as Error) }));
      report((state) => ({ ...state, done: state.done + files.length, refused: [...state.refused, ...refused] }));
    }
  };
  const work = async (): Promise<void> => {
    for (let files = queue.shift(); files && !signal.aborted; files = queue.shift()) await send(files);
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, work));
}

/** The problem of the file, else the message about the whole request. */
function reasonFor(name: string, error: Error): string {
  const own = problemsOf(error).find((problem) => problem.key === name);
  return own?.errors.join(' ') ?? error.message;
}

const fieldsOf: Record<UploadPurpose, UploadFields> = {
  good: { training: 'true', good: 'true' },
  ng: { training: 'true', good: 'false' },
  inspect: { training: 'false', model_id: 'active' },
  store: { training: 'false' },
};
