/** What a station tells its controller of one product. */
export interface SignalVerdict {
  readonly result: 'OK' | 'NG';
  /** 0 to 1. */
  readonly score: number;
  readonly regions: number;
  /** Number of the label; 0 without one. */
  readonly label: number;
  readonly modelVersion: number;
  /** From the trigger to the verdict. */
  readonly milliseconds: number;
}

/** The phase of the last trigger. `idle`: there was none, or its result was acknowledged. */
type Phase =
  | { readonly kind: 'idle' | 'fault' }
  /** `awaitsImage`: a controller gave the trigger, and no image has come for it. */
  | { readonly kind: 'busy'; readonly awaitsImage: boolean }
  | { readonly kind: 'valid'; readonly verdict: SignalVerdict };

/** The signals of one station between its inspections and its controller. */
export interface StationSignals {
  /** Number of the last trigger; never goes back. */
  readonly sequence: number;
  readonly phase: Phase;
  /** Why no trigger is taken: something is wrong, or the model is being changed. */
  readonly blocked: 'fault' | 'changing' | undefined;
  readonly inspected: number;
  readonly notGood: number;
}

export type SignalEvent =
  /** A controller asks for an inspection. */
  | { readonly kind: 'trigger' }
  /** An image has come: for the trigger that awaits one, else it is a trigger of its own. */
  | { readonly kind: 'image' }
  | { readonly kind: 'verdict'; readonly sequence: number; readonly verdict: SignalVerdict }
  /** The inspection of this trigger failed, or took too long. */
  | { readonly kind: 'failed'; readonly sequence: number }
  /** Nothing that was signalled can be relied on any more. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'blocked'; readonly by: StationSignals['blocked'] }
  | { readonly kind: 'acknowledge' }
  | { readonly kind: 'stop' };

/** As a service starts: it takes no trigger before it knows that it can. */
export const initialSignals: StationSignals = {
  sequence: 0,
  phase: { kind: 'idle' },
  blocked: 'fault',
  inspected: 0,
  notGood: 0,
};

const fault: Phase = { kind: 'fault' };

/** The signals after an event. `OK` is set by the verdict of the last trigger alone, and by nothing after it. */
export function nextSignals(signals: StationSignals, event: SignalEvent): StationSignals {
  const { sequence, phase, blocked } = signals;
  switch (event.kind) {
    case 'trigger':
      return begin(signals, true);
    case 'image':
      if (phase.kind === 'busy' && phase.awaitsImage)
        return { ...signals, phase: { kind: 'busy', awaitsImage: false } };
      return begin(signals, false);
    case 'verdict': {
      if (event.sequence !== sequence || phase.kind !== 'busy') return signals;
      const isGood = event.verdict.result === 'OK';
      return {
        ...signals,
        phase: { kind: 'valid', verdict: event.verdict },
        inspected: signals.inspected + 1,
        notGood: signals.notGood + (isGood ? 0 : 1),
      };
    }
    case 'failed':
      return event.sequence === sequence && phase.kind === 'busy' ? { ...signals, phase: fault } : signals;
    case 'lost':
      return { ...signals, phase: fault };
    case 'blocked': {
      // Where something is wrong, what was signalled before is in doubt too.
      const isNew = event.by === 'fault' && blocked !== 'fault';
      return { ...signals, blocked: event.by, phase: isNew && phase.kind !== 'idle' ? fault : phase };
    }
    case 'acknowledge':
      return phase.kind === 'busy' ? signals : { ...signals, phase: { kind: 'idle' } };
    case 'stop':
      return { ...signals, phase: { kind: 'idle' }, blocked: 'changing' };
  }
}

function begin(signals: StationSignals, awaitsImage: boolean): StationSignals {
  const sequence = signals.sequence + 1;
  return { ...signals, sequence, phase: signals.blocked ? fault : { kind: 'busy', awaitsImage } };
}

export interface SignalBits {
  readonly ready: boolean;
  readonly busy: boolean;
  readonly valid: boolean;
  readonly ok: boolean;
  readonly ng: boolean;
  readonly fault: boolean;
}

export function bitsOf({ phase, blocked }: StationSignals): SignalBits {
  const verdict = phase.kind === 'valid' ? phase.verdict.result : undefined;
  return {
    ready: blocked === undefined && phase.kind !== 'busy',
    busy: phase.kind === 'busy',
    valid: verdict !== undefined,
    ok: verdict === 'OK',
    ng: verdict === 'NG',
    fault: phase.kind === 'fault' || blocked === 'fault',
  };
}

const word = (value: number): number => Math.max(0, Math.min(0xffff, Math.round(value)));
const words = (value: number): [number, number] => [Math.floor(value / 0x10000) % 0x10000, value % 0x10000];

/** Input registers 0 to 10. Numbers of 32 bits have their high word first. */
export function registersOf(signals: StationSignals): number[] {
  const { phase, sequence, inspected, notGood } = signals;
  const verdict = phase.kind === 'valid' ? phase.verdict : undefined;
  const bits = bitsOf(signals);
  return [
    sequence % 0x10000,
    bits.ok ? 1 : bits.ng ? 2 : bits.fault ? 3 : 0,
    word((verdict?.score ?? 0) * 10_000),
    word(verdict?.regions ?? 0),
    word(verdict?.label ?? 0),
    ...words(inspected),
    ...words(notGood),
    word(verdict?.modelVersion ?? 0),
    word(verdict?.milliseconds ?? 0),
  ];
}
