import type { ReactNode } from 'react';
import type { Verdict } from '../../../src/client/shapes.ts';

export type Tone = 'neutral' | 'accent' | 'ok' | 'ng' | 'warn';

const tones: Record<Tone, string> = {
  neutral: 'bg-sunken text-ink',
  accent: 'bg-accent-soft text-accent',
  ok: 'bg-ok-soft text-ok',
  ng: 'bg-ng-soft text-ng',
  warn: 'bg-warn-soft text-warn',
};

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded whitespace-nowrap px-1.5 py-0.5 text-xs font-semibold ${tones[tone]}`}
    >
      {children}
    </span>
  );
}

/** A circle for OK, a diamond for NG: no colour is needed to tell them apart. */
export function VerdictMark({ verdict, size = 12 }: { verdict: Verdict; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 12 12" aria-hidden="true" className="shrink-0">
      {verdict === 'OK' ? (
        <circle cx="6" cy="6" r="4.4" fill="none" stroke="currentColor" strokeWidth="2.2" />
      ) : (
        <path d="M6 0.6L11.4 6 6 11.4 0.6 6z" fill="currentColor" />
      )}
    </svg>
  );
}

export function VerdictBadge({ verdict, children }: { verdict: Verdict; children?: ReactNode }) {
  return (
    <Badge tone={verdict === 'OK' ? 'ok' : 'ng'}>
      <VerdictMark verdict={verdict} />
      {children ?? verdict}
    </Badge>
  );
}
