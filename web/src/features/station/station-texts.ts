import type { Schemas, Station } from '../../../../src/client/shapes.ts';
import type { Tone } from '../../components/badge.tsx';
import { type MessageKey, t } from '../../i18n/text.ts';

export type SourceKind = Schemas['StationSource']['kind'];
export type OutputKind = Schemas['StationOutput']['kind'];

export const sourceTexts: Record<SourceKind, MessageKey> = {
  http: 'sourceHttp',
  folder: 'sourceFolder',
  ftp: 'sourceFtp',
  camera: 'sourceCamera',
};

export const outputTexts: Record<OutputKind, MessageKey> = {
  mqtt: 'outputMqtt',
  modbus: 'outputModbus',
  webhook: 'outputWebhook',
  sidecar: 'outputSidecar',
};

/** In one word: whether the station takes images and its verdicts get out. */
export function stateOf({ enabled, state }: Station): { tone: Tone; text: string } {
  if (!enabled) return { tone: 'neutral', text: t('stationOff') };
  if (!state.ready) return { tone: 'ng', text: t('stationStopped') };
  return state.fault ? { tone: 'warn', text: t('stationWarning') } : { tone: 'ok', text: t('stationReady') };
}
