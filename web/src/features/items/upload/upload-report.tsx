import { DataTable } from '../../../components/data-table.tsx';
import { ProgressBar } from '../../../components/progress-bar.tsx';
import { useText } from '../../../i18n/use-text.ts';
import type { UploadState } from './run-upload.ts';

/** What was taken, and of each file that was not, why. */
export function UploadReport({ state, total, finished }: { state: UploadState; total: number; finished: boolean }) {
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
