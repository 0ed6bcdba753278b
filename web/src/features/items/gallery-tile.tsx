import { memo } from 'react';
import { Link } from 'react-router';
import type { Item } from '../../../../src/client/shapes.ts';
import { Badge, VerdictBadge, VerdictMark } from '../../components/badge.tsx';
import { classNames } from '../../components/class-names.ts';
import { Icon } from '../../components/icon.tsx';
import { Thumbnail } from '../../components/thumbnail.tsx';
import { useServerTexts } from '../../i18n/server-texts.ts';
import { useText } from '../../i18n/use-text.ts';
import { shownAssessment } from './shown-assessment.ts';

interface GalleryTileProps {
  item: Item;
  index: number;
  link: string;
  /** The model whose verdict is shown where it has one. */
  modelId: string | undefined;
  selected: boolean;
  deleted: boolean;
  focused: boolean;
  onFocus: (index: number) => void;
  onToggle: (item: Item, index: number, range: boolean) => void;
}

export const GalleryTile = memo(function GalleryTile(props: GalleryTileProps) {
  const { item, index, link, modelId, selected, deleted, focused, onFocus, onToggle } = props;
  const t = useText();
  return (
    <div
      className={classNames(
        'group relative h-full overflow-hidden rounded-lg border bg-surface',
        selected ? 'border-accent ring-2 ring-accent' : 'border-line',
        deleted && 'opacity-40',
      )}
    >
      <Link
        to={link}
        data-index={index}
        tabIndex={focused ? 0 : -1}
        onFocus={() => onFocus(index)}
        className="flex h-full flex-col focus-visible:outline-offset-[-3px]"
      >
        <span className="min-h-0 flex-1">
          <Thumbnail item={item} />
        </span>
        <span className="flex items-center justify-between gap-2 px-2 py-1.5 text-[13px]">
          <span className="truncate" title={item.name}>
            {item.name}
          </span>
          <TileVerdicts item={item} modelId={modelId} />
        </span>
      </Link>
      {deleted ? (
        <span className="absolute top-2 left-2">
          <Badge>{t('deletedMark')}</Badge>
        </span>
      ) : (
        <TileCheckbox
          selected={selected}
          label={t('selectItem', { name: item.name })}
          onToggle={(range) => onToggle(item, index, range)}
        />
      )}
    </div>
  );
});

function TileCheckbox(props: { selected: boolean; label: string; onToggle: (range: boolean) => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a click with the shift key selects a range, which a checkbox cannot tell
    <button
      type="button"
      role="checkbox"
      aria-checked={props.selected}
      aria-label={props.label}
      tabIndex={-1}
      onClick={(event) => props.onToggle(event.shiftKey)}
      className="absolute top-0 left-0 flex size-11 items-center justify-center"
    >
      <span
        className={classNames(
          'flex size-5 items-center justify-center rounded border-2 shadow',
          props.selected ? 'border-accent bg-accent text-accent-ink' : 'border-white/90 bg-black/40 text-transparent',
        )}
      >
        <Icon name="check" size={14} />
      </span>
    </button>
  );
}

function TileVerdicts({ item, modelId }: { item: Item; modelId: string | undefined }) {
  const t = useText();
  const texts = useServerTexts();
  const person = item.user_assessment?.result;
  const model = shownAssessment(item, modelId);
  if (item.status === 'queued') return <Badge>{t('statusQueued')}</Badge>;
  if (item.status === 'processing') return <Badge tone="accent">{t('statusProcessing')}</Badge>;
  if (item.status === 'failed') return <Badge tone="warn">{t('statusFailed')}</Badge>;
  return (
    <span className="flex shrink-0 items-center gap-1">
      {model && (
        <span
          className={classNames(
            'inline-flex items-center gap-1 text-xs font-semibold tabular-nums',
            model.result === 'OK' ? 'text-ok' : 'text-ng',
          )}
        >
          {!person && <VerdictMark verdict={model.result} size={10} />}
          {Number(model.anomaly_score).toFixed(2)}
        </span>
      )}
      {item.status_text && (
        <span className="text-warn" title={texts.status(item.status_text)}>
          <Icon name="warning" size={15} />
          <span className="sr-only">{texts.status(item.status_text)}</span>
        </span>
      )}
      {person && model && person !== model.result && (
        <span className="text-warn" title={t('differs')}>
          <Icon name="warning" size={15} />
          <span className="sr-only">{t('differs')}</span>
        </span>
      )}
      {person && <VerdictBadge verdict={person} />}
    </span>
  );
}
