import type { ReactNode } from 'react';
import type { Verdict } from '../../../src/client/shapes.ts';
import { t } from '../i18n/text.ts';
import { Icon } from './icon.tsx';

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

interface VerdictBadgeProps {
  verdict: Verdict;
  /** Whose verdict it is: that of a person is filled and has a head beside it, that of a model is outlined. */
  by: 'person' | 'model';
  children?: ReactNode;
}

export function VerdictBadge({ verdict, by, children }: VerdictBadgeProps) {
  const isPerson = by === 'person';
  const colour = verdict === 'OK' ? 'text-ok' : 'text-ng';
  const filled = verdict === 'OK' ? 'border-transparent bg-ok-soft' : 'border-transparent bg-ng-soft';
  return (
    <span
      title={t(isPerson ? 'personSays' : 'modelSays', { verdict })}
      className={`inline-flex items-center gap-1 rounded border px-1 py-px text-xs font-semibold whitespace-nowrap tabular-nums ${colour} ${isPerson ? filled : 'border-current bg-surface'}`}
    >
      {isPerson && <Icon name="person" size={13} />}
      <VerdictMark verdict={verdict} size={10} />
      {children ?? verdict}
    </span>
  );
}
