import { type ModbusUnit, modbusSizes } from '../../line/modbus-server.ts';
import {
  bitsOf,
  initialSignals,
  nextSignals,
  registersOf,
  type SignalEvent,
  type SignalVerdict,
  type StationSignals,
} from '../../line/station-signals.ts';
import type { ItemOrigin } from '../items/items.schemas.ts';
import type { Arrival } from '../stations/arrival.ts';
import type { StationOutputSettings } from '../stations/stations.schemas.ts';

/** The station as it was read last. */
export interface UnitStation {
  readonly settings: StationOutputSettings;
  readonly modelId: string | null;
  /** Something is wrong: it takes no images. */
  readonly hasFault: boolean;
  /** Its source makes an image when it is asked to. Images of other sources come by themselves. */
  readonly takesPictures: boolean;
}

export type StationUnit = ReturnType<typeof createStationUnit>;

export const heartbeatMs = 500;
const defaultTimeoutMs = 2000;

/** The Modbus unit of one station: coils and registers around its signals. */
export function createStationUnit(
  first: UnitStation,
  dependencies: {
    /** @returns undefined where the item has no verdict in time, or is not the product that the controller named. */
    judge(itemId: string, given: ItemOrigin, deadline: number): Promise<SignalVerdict | undefined>;
    takePicture(arrival: Arrival): Promise<void>;
    setModel(modelId: string): Promise<void>;
  },
) {
  let station = first;
  let signals: StationSignals = initialSignals;
  const coils = Array.from({ length: modbusSizes.coils }, () => false);
  const registers = Array.from({ length: modbusSizes.holdingRegisters }, () => 0);
  /** The trigger of a controller that awaits its image. */
  let awaited: (Arrival & { readonly sequence: number }) | undefined;
  /** The recipe that a controller asked for, until its model is set. */
  let recipe: { readonly number: number; failed: boolean } | undefined;
  let stopped = false;

  const apply = (event: SignalEvent): void => {
    if (!stopped) signals = nextSignals(signals, event);
  };
  const updateBlocked = (): void => {
    const by = station.hasFault || recipe?.failed ? 'fault' : recipe ? 'changing' : undefined;
    if (by !== signals.blocked) apply({ kind: 'blocked', by });
  };

  /** Follows the trigger that has just come. */
  const follow = (given: ItemOrigin) => {
    const { sequence } = signals;
    const startedAt = performance.now();
    const timeoutMs = station.settings.timeout_ms ?? defaultTimeoutMs;
    const failed = (): void => {
      clearTimeout(timer);
      apply({ kind: 'failed', sequence });
    };
    const timer = setTimeout(failed, timeoutMs);
    timer.unref();
    const finish = async (itemId: string): Promise<void> => {
      const verdict = await dependencies.judge(itemId, given, startedAt + timeoutMs);
      const milliseconds = performance.now() - startedAt;
      // The timer may be late.
      if (!verdict || milliseconds > timeoutMs) return failed();
      clearTimeout(timer);
      apply({ kind: 'verdict', sequence, verdict: { ...verdict, milliseconds } });
    };
    return { sequence, given, failed, stored: (itemId: string): void => void finish(itemId).catch(failed) };
  };

  const trigger = (): void => {
    apply({ kind: 'trigger' });
    if (signals.phase.kind !== 'busy') return;
    const serial = readText(registers.slice(1));
    const arrival = follow(serial === '' ? {} : { serial });
    if (!station.takesPictures) {
      awaited = arrival;
      return;
    }
    apply({ kind: 'image' });
    dependencies.takePicture(arrival).catch(arrival.failed);
  };

  const recipeOf = (modelId: string | null): number =>
    station.settings.recipes?.find((known) => known.model_id === modelId)?.number ?? 0;

  const changeModel = async (wanted: { readonly number: number; failed: boolean }): Promise<void> => {
    const modelId = station.settings.recipes?.find(({ number }) => number === wanted.number)?.model_id;
    recipe = wanted;
    wanted.failed = modelId === undefined;
    updateBlocked();
    if (modelId === undefined) return;
    try {
      await dependencies.setModel(modelId);
      if (recipe === wanted) recipe = undefined;
      station = { ...station, modelId };
    } catch {
      wanted.failed = true;
    }
    updateBlocked();
  };

  const unit: ModbusUnit = {
    coil: (address) => coils[address] ?? false,
    discreteInput(address) {
      const { ready, busy, valid, ok, ng, fault } = bitsOf(signals);
      const heartbeat = !stopped && Math.floor(performance.now() / heartbeatMs) % 2 === 1;
      return [ready, busy, valid, ok, ng, fault, heartbeat][address] ?? false;
    },
    inputRegister: (address) => registersOf(signals)[address] ?? 0,
    holdingRegister: (address) => (address === 0 ? recipeOf(station.modelId) : (registers[address] ?? 0)),
    writeCoil(address, value) {
      const rises = value && !coils[address];
      coils[address] = value;
      if (rises && address === 0) trigger();
      if (rises && address === 1) apply({ kind: 'acknowledge' });
    },
    writeHoldingRegister(address, value) {
      if (address > 0) {
        registers[address] = value;
        return;
      }
      // Some controllers write all their registers again and again.
      if (value === 0 || value === recipe?.number) return;
      if (!recipe && value === recipeOf(station.modelId)) return;
      void changeModel({ number: value, failed: false });
    },
  };

  return {
    unit,
    /** An image comes: for the trigger that awaits one, else as a trigger of its own. */
    begin(): Arrival {
      apply({ kind: 'image' });
      return awaited?.sequence === signals.sequence ? awaited : follow({});
    },
    update(next: UnitStation): void {
      // Somebody has chosen another model, which settles a recipe that could not be set.
      if (recipe?.failed && next.modelId !== station.modelId) recipe = undefined;
      station = next;
      updateBlocked();
    },
    /** Nothing is known of the station any more. */
    fail(): void {
      station = { ...station, hasFault: true };
      updateBlocked();
    },
    lose: (): void => apply({ kind: 'lost' }),
    stop(): void {
      apply({ kind: 'stop' });
      stopped = true;
    },
  };
}

/** Two ASCII characters in each register, the first in its high byte, up to the first zero. */
function readText(registers: readonly number[]): string {
  const bytes = Buffer.alloc(registers.length * 2);
  for (const [index, register] of registers.entries()) bytes.writeUInt16BE(register, index * 2);
  const text = bytes.toString('latin1').replace(/\0.*$/s, '');
  return text.replace(/[^\x20-\x7e]/g, '').trim();
}
