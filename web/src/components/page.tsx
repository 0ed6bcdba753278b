import { type ReactNode, useEffect, useId } from 'react';
import { KensaError } from '../../../src/client/kensa-error.ts';
import { t } from '../i18n/text.ts';
import { Button } from './button.tsx';

/** The title of the browser tab, of the history, and for screen readers. */
export function useScreenTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Kensa`;
  }, [title]);
}

interface CardProps {
  title?: ReactNode;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Card({ title, aside, className = '', children }: CardProps) {
  const headingId = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : headingId}
      className={`rounded-lg border border-line bg-surface p-4 ${className}`}
    >
      {title !== undefined && (
        <header className="mb-3 flex flex-wrap items-center justify-between gap-2">
          <h2 id={headingId} className="text-[15px] font-semibold">
            {title}
          </h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}

/** @param mark is shown beside the title */
export function PageHeader({ title, mark, children }: { title: string; mark?: ReactNode; children?: ReactNode }) {
  useScreenTitle(title);
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h1 className="flex flex-wrap items-center gap-2 text-xl font-semibold tracking-tight">
        {title} {mark}
      </h1>
      {children !== undefined && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  );
}

/** A screen with the usual margins. */
export function Page({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`mx-auto flex w-full max-w-6xl flex-col gap-4 p-4 pb-10 lg:p-6 ${className}`}>{children}</div>;
}

export function EmptyNote({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-lg border border-dashed border-line-strong px-6 py-12 text-center">
      <p className="font-medium">{title}</p>
      {children}
    </div>
  );
}

/** A number with its label. */
export function Figure({ label, note, children }: { label: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt className="text-[13px] text-ink-soft">{label}</dt>
      <dd className="text-xl font-semibold leading-tight break-words md:text-2xl">{children}</dd>
      {note && <dd className="text-[13px] text-ink-soft">{note}</dd>}
    </div>
  );
}

/** Terms with their values. */
export function Facts({ facts, className }: { facts: readonly (readonly [string, ReactNode])[]; className: string }) {
  return (
    <dl className={`grid gap-y-1.5 ${className}`}>
      {facts.map(([term, fact]) => (
        <div key={term} className="contents">
          <dt className="text-ink-soft">{term}</dt>
          <dd className="min-w-0 break-words">{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Loadable<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

interface LoadedProps<Data> {
  query: Loadable<Data>;
  /** Shown if the server does not know it any more. */
  gone?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query, or that it is loading, or why it failed. */
export function Loaded<Data>({ query: { data, error, refetch }, gone, children }: LoadedProps<Data>) {
  if (gone && error instanceof KensaError && error.status === 404) return gone;
  if (data !== undefined) return children(data);
  if (error === null) return <p className="p-6 text-ink-soft">{t('loading')}</p>;
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-lg border border-ng bg-ng-soft p-4 text-ng">
      <p className="font-semibold">{error instanceof KensaError ? error.title : t('couldNotLoad')}</p>
      <p>{error.message}</p>
      <Button label={t('tryAgain')} size="small" onClick={() => refetch()} />
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

export interface Column<Row> {
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
  /** Hidden on narrow screens. */
  readonly wide?: boolean;
}

interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
}

/** A table that scrolls sideways on narrow screens. Only screen readers get its caption. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by key
    <section className="relative overflow-x-auto" tabIndex={0} aria-label={caption}>
      <table className="w-full text-left">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-[13px] text-ink-soft">
            {columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order
              <th key={index} scope="col" className={`${cellClass(column)} font-medium whitespace-nowrap`}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-b border-line last:border-0">
              {columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order
                <td key={index} className={cellClass(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function cellClass<Row>({ numeric, wide }: Column<Row>): string {
  return `px-2 py-2 ${numeric ? 'text-right whitespace-nowrap' : ''} ${wide ? 'max-md:hidden' : ''}`;
}
