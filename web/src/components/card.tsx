import { type ReactNode, useEffect, useId } from 'react';
import { classNames } from './class-names.ts';

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

export function Card({ title, aside, className, children }: CardProps) {
  const headingId = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : headingId}
      className={classNames('rounded-lg border border-line bg-surface p-4', className)}
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
export function Page({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={classNames('mx-auto flex w-full max-w-6xl flex-col gap-4 p-4 pb-10 lg:p-6', className)}>
      {children}
    </div>
  );
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
    <dl className={classNames('grid gap-y-1.5', className)}>
      {facts.map(([term, fact]) => (
        <div key={term} className="contents">
          <dt className="text-ink-soft">{term}</dt>
          <dd className="min-w-0 break-words">{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
