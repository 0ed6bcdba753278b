import { useId } from 'react';
import { classNames } from '../../../components/class-names.ts';
import { Checkbox } from '../../../components/field.tsx';
import { Icon, type IconName } from '../../../components/icon.tsx';
import type { MessageKey } from '../../../i18n/messages/index.ts';
import { useText } from '../../../i18n/use-text.ts';
import { type ChosenFile, chosenFiles } from './dropped-files.ts';
import type { UploadPurpose } from './upload-plan.ts';

interface UploadFormProps {
  files: readonly ChosenFile[];
  purpose: UploadPurpose;
  grouped: boolean;
  hasActiveModel: boolean;
  onFiles: (files: ChosenFile[]) => void;
  onPurpose: (purpose: UploadPurpose) => void;
  onGrouped: (grouped: boolean) => void;
}

export function UploadForm(props: UploadFormProps) {
  const { files, purpose, grouped, hasActiveModel, onFiles, onPurpose, onGrouped } = props;
  const t = useText();
  const purposes: [UploadPurpose, MessageKey][] = [
    ['good', 'uploadGood'],
    ['ng', 'uploadNg'],
    hasActiveModel ? ['inspect', 'uploadInspect'] : ['store', 'uploadStore'],
  ];
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <FilePicker icon="upload" label={t('chooseFiles')} onFiles={onFiles} />
        <FilePicker icon="folder" label={t('chooseFolder')} onFiles={onFiles} folder />
        <span aria-live="polite" className="text-ink-soft">
          {files.length > 0 ? t('uploadChosen', { n: files.length }) : t('uploadFormats')}
        </span>
      </div>
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-[13px] font-medium">{t('uploadWhat')}</legend>
        {purposes.map(([value, label]) => (
          <label key={value} className="flex min-h-9 items-center gap-2.5">
            <input
              type="radio"
              name="purpose"
              className="size-4 accent-(--accent)"
              checked={purpose === value}
              onChange={() => onPurpose(value)}
            />
            {t(label)}
          </label>
        ))}
        {!hasActiveModel && purpose === 'store' && <p className="text-[13px] text-ink-soft">{t('uploadNoModel')}</p>}
      </fieldset>
      {files.some((file) => file.path.includes('/')) && (
        <Checkbox label={t('uploadGroup')} checked={grouped} onChange={(event) => onGrouped(event.target.checked)} />
      )}
    </div>
  );
}

interface FilePickerProps {
  icon: IconName;
  label: string;
  folder?: boolean;
  onFiles: (files: ChosenFile[]) => void;
}

function FilePicker({ icon, label, folder = false, onFiles }: FilePickerProps) {
  const id = useId();
  return (
    <span className="inline-flex">
      <input
        id={id}
        type="file"
        multiple
        accept={folder ? undefined : 'image/jpeg,image/png,image/webp,image/tiff,image/bmp'}
        className="peer sr-only"
        onChange={(event) => event.target.files && onFiles(chosenFiles(event.target.files))}
        {...(folder ? { webkitdirectory: '' } : {})}
      />
      <label
        htmlFor={id}
        className={classNames(
          'inline-flex min-h-10 cursor-pointer items-center gap-2 rounded-md border border-line-strong px-3.5 font-medium hover:bg-sunken',
          'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent',
        )}
      >
        <Icon name={icon} />
        {label}
      </label>
    </span>
  );
}
