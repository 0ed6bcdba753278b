import { Dialog } from '../../components/dialog.tsx';
import { type MessageKey, t } from '../../i18n/text.ts';
import { screens } from './navigation.tsx';

type Row = readonly [keys: string, does: MessageKey];

const groups: readonly { title: MessageKey; rows: readonly Row[] }[] = [
  {
    title: 'helpGallery',
    rows: [
      ['← ↑ ↓ →', 'helpMoveFocus'],
      ['Enter', 'helpOpen'],
      ['X', 'helpSelect'],
      ['Shift X', 'helpSelectRange'],
      ['A', 'helpSelectAll'],
      ['O', 'helpMarkGood'],
      ['N', 'helpMarkNg'],
      ['Delete', 'remove'],
    ],
  },
  {
    title: 'helpReview',
    rows: [
      ['O', 'helpGoodNext'],
      ['N', 'helpNgNext'],
      ['→ ←', 'helpNext'],
      ['H', 'helpHeatmap'],
      ['[ ]', 'helpHeatmapStrength'],
      ['+ − 0', 'helpZoom'],
      ['R', 'drawRegion'],
      ['Shift R', 'addRegion'],
      ['B', 'helpNextRegion'],
      ['← ↑ ↓ →', 'helpMoveRegion'],
      ['W S A D', 'helpResizeRegion'],
      ['0 … 9', 'helpLabelRegion'],
      ['Delete', 'remove'],
      ['Esc', 'backToItems'],
    ],
  },
  { title: 'modelsTitle', rows: [['← →', 'helpThreshold']] },
];

export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('keyboardHelp')} onClose={onClose} wide>
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <section>
          <h3 className="mb-2 font-semibold">{t('helpEverywhere')}</h3>
          <ShortcutRow keys="?" does={t('helpThis')} />
          {screens.map((screen) => (
            <ShortcutRow key={screen.key} keys={`G ${screen.key.toUpperCase()}`} does={t(screen.title)} />
          ))}
        </section>
        {groups.map((group) => (
          <section key={group.title}>
            <h3 className="mb-2 font-semibold">{t(group.title)}</h3>
            {group.rows.map(([keys, does]) => (
              <ShortcutRow key={keys} keys={keys} does={t(does)} />
            ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function ShortcutRow({ keys, does }: { keys: string; does: string }) {
  return (
    <div className="flex items-center justify-between gap-4 py-1">
      <span>{does}</span>
      <span className="flex gap-1">
        {keys.split(' ').map((key) => (
          <kbd
            key={key}
            className="min-w-6 rounded border border-line-strong bg-sunken px-1.5 py-0.5 text-center text-xs font-medium"
          >
            {key}
          </kbd>
        ))}
      </span>
    </div>
  );
}
