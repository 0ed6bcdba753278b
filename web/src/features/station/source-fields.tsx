import type { Schemas } from '../../../../src/client/shapes.ts';
import { Field, NumberField, Select, SelectField, TextField } from '../../components/field.tsx';
import { type MessageKey, t } from '../../i18n/text.ts';
import type { FieldsProps } from './station-dialog.tsx';
import { type SourceKind, sourceTexts } from './station-texts.ts';

type Source = Schemas['StationSource'];

const kinds = Object.entries(sourceTexts) as [SourceKind, MessageKey][];
const afterTexts = { keep: 'afterKeep', move: 'afterMove', delete: 'afterDelete' } as const;
const usualIntervalMs = 1000;

/** A source of this kind as it is first shown. */
function startOf(kind: SourceKind): Source {
  if (kind === 'folder') return { kind, path: '', after: 'keep' };
  return kind === 'camera' ? { kind, url: '', trigger: 'request' } : { kind };
}

/** Where the images come from. */
export function SourceFields({ draft: { source }, problem, onChange }: FieldsProps) {
  const change = (changes: Partial<Source>) => onChange({ source: { ...source, ...changes } });
  const everyMs = typeof source.trigger === 'object' ? source.trigger.every_ms : undefined;
  return (
    <fieldset className="flex flex-col gap-4 border-t border-line pt-4">
      <legend className="float-left mb-1 text-[15px] font-semibold">{t('source')}</legend>
      <Field
        label={t('sourceKind')}
        hint={source.kind === 'http' ? t('sourceHttpHint') : source.kind === 'ftp' ? t('sourceFtpHint') : undefined}
        error={problem('source.kind')}
      >
        {(control) => (
          <Select
            {...control}
            value={source.kind}
            options={kinds.map(([kind, text]) => [kind, t(text)] as const)}
            onChange={(kind) => onChange({ source: startOf(kind as SourceKind) })}
          />
        )}
      </Field>
      {source.kind === 'folder' && (
        <div className="grid gap-4 md:grid-cols-[2fr_1fr]">
          <TextField
            label={t('folderPath')}
            hint={t('folderPathHint')}
            error={problem('source.path')}
            required
            maxLength={1000}
            value={source.path ?? ''}
            onChange={(event) => change({ path: event.target.value })}
          />
          <SelectField
            label={t('afterInspection')}
            value={source.after ?? 'keep'}
            options={Object.entries(afterTexts).map(([after, text]) => [after, t(text)] as const)}
            onChange={(after) => change({ after: after as NonNullable<Source['after']> })}
          />
        </div>
      )}
      {source.kind === 'camera' && (
        <>
          <TextField
            label={t('cameraUrl')}
            hint="rtsp://… · http://… (MJPEG) · v4l2:///dev/video0"
            error={problem('source.url')}
            required
            maxLength={500}
            value={source.url ?? ''}
            onChange={(event) => change({ url: event.target.value })}
          />
          <div className="grid gap-4 md:grid-cols-2">
            <SelectField
              label={t('cameraTrigger')}
              value={everyMs === undefined ? 'request' : 'interval'}
              options={[
                ['request', t('onRequest')],
                ['interval', t('atInterval')],
              ]}
              onChange={(value) => change({ trigger: value === 'request' ? 'request' : { every_ms: usualIntervalMs } })}
            />
            {everyMs !== undefined && (
              <NumberField
                label={t('everyMs')}
                error={problem('source.trigger') ?? problem('source.trigger.every_ms')}
                required
                min={100}
                max={86_400_000}
                value={everyMs}
                onNumber={(value) => change({ trigger: { every_ms: value ?? usualIntervalMs } })}
              />
            )}
          </div>
        </>
      )}
    </fieldset>
  );
}
