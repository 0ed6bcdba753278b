import type { Item } from '../../../../src/client/shapes.ts';
import { IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useText } from '../../i18n/use-text.ts';
import { inTheMiddle, type Rectangle } from '../viewer/rectangle.ts';
import type { ViewportControl } from '../viewer/use-viewport.ts';
import type { HeatmapSetting, ImageTool } from './use-item-keys.ts';

interface ViewerToolsProps {
  item: Item;
  imageIndex: number;
  tool: ImageTool;
  setTool: (tool: ImageTool) => void;
  heatmap: HeatmapSetting;
  setHeatmap: (heatmap: HeatmapSetting) => void;
  hasHeatmap: boolean;
  control: ViewportControl;
  onImage: (index: number) => void;
  onAdd: (rectangle: Rectangle) => void;
}

export function ViewerTools(props: ViewerToolsProps) {
  const { item, imageIndex, tool, setTool, heatmap, setHeatmap, hasHeatmap, control, onImage, onAdd } = props;
  const t = useText();
  const image = item.images[imageIndex];
  return (
    <div className="flex flex-wrap items-center gap-x-1 border-t border-line bg-surface px-2 py-0.5">
      <IconButton label={t('moveImage')} aria-pressed={tool === 'pan'} onClick={() => setTool('pan')}>
        <Icon name="hand" />
      </IconButton>
      <IconButton label={t('drawRegion')} aria-pressed={tool === 'draw'} onClick={() => setTool('draw')}>
        <Icon name="rectangle" />
      </IconButton>
      <IconButton label={t('addRegion')} onClick={() => image && onAdd(inTheMiddle(image))}>
        <Icon name="plus" />
      </IconButton>
      <span className="mx-1 h-6 border-l border-line" />
      <IconButton label={t('zoomOut')} onClick={() => control.zoom(1 / 1.3)}>
        <Icon name="minus" />
      </IconButton>
      <output className="min-w-11 text-center text-[13px] text-ink-soft">
        {Math.round(control.view.scale * 100)} %
      </output>
      <IconButton label={t('zoomIn')} onClick={() => control.zoom(1.3)}>
        <Icon name="plus" />
      </IconButton>
      <IconButton label={t('fitImage')} onClick={control.showWhole}>
        <Icon name="fit" />
      </IconButton>
      {hasHeatmap && <HeatmapControl heatmap={heatmap} setHeatmap={setHeatmap} />}
      {item.images.length > 1 && (
        <fieldset aria-label={t('imagesOfItem')} className="flex w-full gap-1 overflow-x-auto pb-1">
          {item.images.map((one, index) => (
            <button
              key={one.name}
              type="button"
              aria-pressed={index === imageIndex}
              onClick={() => onImage(index)}
              className="max-w-40 truncate rounded border border-line px-2 py-1 text-[13px] aria-pressed:border-accent aria-pressed:bg-accent-soft"
            >
              {one.name}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

type HeatmapControlProps = Pick<ViewerToolsProps, 'heatmap' | 'setHeatmap'>;

function HeatmapControl({ heatmap, setHeatmap }: HeatmapControlProps) {
  const t = useText();
  return (
    <label className="ml-auto flex items-center gap-2 pr-2 text-[13px]">
      <input
        type="checkbox"
        className="size-6 accent-(--accent)"
        checked={heatmap.shown}
        onChange={(event) => setHeatmap({ ...heatmap, shown: event.target.checked })}
      />
      {t('heatmap')}
      <input
        type="range"
        min="0.1"
        max="1"
        step="0.1"
        aria-label={t('heatmapOpacity')}
        className="h-9 w-24 accent-(--accent)"
        value={heatmap.opacity}
        onChange={(event) => setHeatmap({ shown: true, opacity: Number(event.target.value) })}
      />
    </label>
  );
}
