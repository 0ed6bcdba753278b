import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { KensaError } from '../../../../../src/client/kensa-error.ts';
import { pause } from '../../../../../src/client/long-operations.ts';
import { type UploadFields, uploadItems } from '../../../../../src/client/transfer.ts';
import { api } from '../../../api/kensa.ts';
import { problemsOf, refreshAll } from '../../../api/queries.ts';
import { Button, FileButton } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Checkbox, SelectField } from '../../../components/field.tsx';
import { DataTable, ProgressBar } from '../../../components/page.tsx';
import { t } from '../../../i18n/text.ts';
import { chooseProduct, useProduct } from '../../../product.ts';
import { useModels } from '../../model/use-models.ts';
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
  /** The model to inspect with, for its product; without one, the active model of the chosen product. */
  modelId?: string | undefined;
  /** Gets the purpose of the files that were sent. */
  onClose: (purpose: UploadPurpose | undefined) => void;
}

const imageTypes = 'image/jpeg,image/png,image/webp,image/tiff,image/bmp';

export function UploadDialog({ files, onFiles, purpose: proposed, modelId, onClose }: UploadDialogProps) {
  const { targets, isChoice, productId, defaultId } = useProduct();
  const [chosenTarget, setTarget] = useState<number>();
  const asked = useModels().models.find((one) => one.model_id === modelId);
  const target =
    chosenTarget ?? targets.find((one) => one.target_id === asked?.context_id)?.target_id ?? productId ?? defaultId;
  const { active, labelOf } = useModels(target);
  const model = asked?.context_id === target ? asked : active;
  const [wanted, setPurpose] = useState(proposed);
  // Without a model, images that are not for training wait for one.
  const purpose = wanted === 'good' || wanted === 'ng' ? wanted : model ? 'inspect' : 'store';
  const [grouped, setGrouped] = useState(false);
  const [progress, setProgress] = useState<UploadProgress>({
    accepted: 0,
    itemIds: [],
    refused: [],
    waiting: false,
  });
  const navigate = useNavigate();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const upload = useMutation({
    mutationFn: (chosen: readonly ChosenFile[]) => {
      stop.current = new AbortController();
      const fields = {
        ...fieldsOf[purpose],
        ...(purpose === 'inspect' && model ? { model_id: model.active ? 'active' : model.model_id } : {}),
        ...(target === undefined ? {} : { target_id: String(target) }),
      };
      return runUpload(planUpload(chosen, grouped), fields, setProgress, stop.current.signal);
    },
    onSuccess: () => void refreshAll(),
  });
  const close = () => {
    // The gallery shows what was uploaded.
    if (upload.isSuccess && productId !== undefined) chooseProduct(target);
    onClose(upload.isSuccess ? purpose : undefined);
  };
  const inspectWith = model?.active ? t('uploadInspect') : model && t('uploadInspectWith', { name: labelOf(model) });
  const purposes: [UploadPurpose, string][] = [
    ['good', t('uploadGood')],
    ['ng', t('uploadNg')],
    inspectWith ? ['inspect', inspectWith] : ['store', t('uploadStore')],
  ];
  const choose = (list: FileList) => onFiles(chosenFiles(list));
  const n = files.length;
  return (
    <Dialog
      title={t('addImages')}
      {...(upload.isPending ? {} : { onClose: close })}
      footer={
        <>
          {upload.isIdle && (
            <Button
              label={t('uploadStart', { n })}
              look="primary"
              disabled={n === 0}
              onClick={() => upload.mutate(files)}
            />
          )}
          {upload.isPending && <Button label={t('uploadStop')} onClick={() => stop.current?.abort()} />}
          {upload.isSuccess && progress.itemIds.length > 0 && (purpose === 'good' || purpose === 'ng') && (
            <Button
              label={t('trainWithUploaded', { n: progress.itemIds.length })}
              onClick={() => navigate('/train', { state: { itemIds: progress.itemIds, targetId: target } })}
            />
          )}
          {upload.isSuccess && <Button label={t('close')} look="primary" onClick={close} />}
        </>
      }
    >
      {upload.variables ? (
        <UploadReport progress={progress} total={upload.variables.length} finished={upload.isSuccess} />
      ) : (
        <div className="flex flex-col gap-5">
          <div className="flex flex-wrap items-center gap-2">
            <FileButton icon="upload" label={t('chooseFiles')} choose="files" accept={imageTypes} onFiles={choose} />
            <FileButton icon="folder" label={t('chooseFolder')} choose="folder" onFiles={choose} />
            <span aria-live="polite" className="text-ink-soft">
              {n > 0 ? t('uploadChosen', { n }) : t('uploadFormats')}
            </span>
          </div>
          {isChoice && (
            <SelectField
              label={t('product')}
              value={target ?? ''}
              options={targets.map((one) => [one.target_id, one.name])}
              onChange={(id) => setTarget(Number(id))}
            />
          )}
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-1 text-[13px] font-medium">{t('uploadWhat')}</legend>
            {purposes.map(([value, label]) => (
              <Checkbox
                key={value}
                type="radio"
                name="purpose"
                label={label}
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
      )}
    </Dialog>
  );
}

/** How many files were accepted, and why others were refused. */
function UploadReport({ progress, total, finished }: { progress: UploadProgress; total: number; finished: boolean }) {
  const { accepted, refused, waiting } = progress;
  const done = accepted + refused.length;
  const refusal = t('uploadRefused', { n: refused.length });
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
            {refusal}
          </p>
          <DataTable
            caption={refusal}
            columns={[
              { title: t('fileName'), cell: ({ name }) => <span className="block min-w-36 break-all">{name}</span> },
              { title: t('reason'), cell: ({ reason }) => reason },
            ]}
            rows={refused}
            rowKey={({ name }) => name}
          />
        </>
      )}
    </div>
  );
}

interface UploadProgress {
  readonly accepted: number;
  readonly itemIds: readonly string[];
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
  /** The server is busy. */
  readonly waiting: boolean;
}

const requestsAtOnce = 4;

/** Sends the requests, a few at a time, and reports after each. Resolves when all are sent, or when `signal` aborts. */
async function runUpload(
  requests: readonly UploadFiles[],
  fields: UploadFields,
  report: (change: (progress: UploadProgress) => UploadProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const queue = [...requests];
  const send = async (files: UploadFiles): Promise<void> => {
    try {
      const ids = await uploadItems(api, files, fields, signal);
      report((before) => ({
        ...before,
        accepted: before.accepted + files.length,
        itemIds: [...before.itemIds, ...ids],
        waiting: false,
      }));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof KensaError && (error.status === 425 || error.status === 503)) {
        report((before) => ({ ...before, waiting: true }));
        queue.unshift(files);
        return pause(1000 * (error.retryAfter ?? 2));
      }
      const refused = files.map(({ name }) => ({ name, reason: reasonFor(name, error as Error) }));
      report((before) => ({ ...before, refused: [...before.refused, ...refused] }));
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
  inspect: { training: 'false' },
  store: { training: 'false' },
};
