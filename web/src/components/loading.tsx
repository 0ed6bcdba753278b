import type { ReactNode } from 'react';
import { KensaError } from '../../../src/client/kensa-error.ts';
import { t } from '../i18n/text.ts';
import { Button } from './button.tsx';

interface Loadable<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  refetch(): unknown;
}

/** Shows the data of a query, or that it is loading, or why it failed. */
export function Loaded<Data>({ query, children }: { query: Loadable<Data>; children: (data: Data) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <p className="p-6 text-ink-soft">{t('loading')}</p>;
  const { error } = query;
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-lg border border-ng bg-ng-soft p-4 text-ng">
      <p className="font-semibold">{error instanceof KensaError ? error.title : t('couldNotLoad')}</p>
      <p>{error.message}</p>
      <Button label={t('tryAgain')} size="small" onClick={() => query.refetch()} />
    </div>
  );
}

export function ProgressBar({ value, label }: { value: number; label: string }) {
  const percent = Math.round(Math.max(0, Math.min(1, value)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-2 w-full overflow-hidden rounded-full bg-sunken"
    >
      <div className="h-full bg-accent transition-[width] duration-300" style={{ width: `${percent}%` }} />
    </div>
  );
}
