import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Item } from '../../../../src/client/shapes.ts';
import { labelsQuery } from '../../api/queries.ts';
import { showToast } from '../../components/toast.tsx';
import { useText } from '../../i18n/use-text.ts';
import { shownAssessment } from '../items/shown-assessment.ts';
import { ItemPanel } from './item-panel.tsx';
import type { Review } from './item-screen.tsx';
import { ItemViewer } from './item-viewer.tsx';
import { fromAnnotations, toAnnotations } from './region-state.ts';
import { ReviewBar } from './review-bar.tsx';
import { type ImageTool, useItemKeys } from './use-item-keys.ts';
import { useRegions } from './use-regions.ts';

// The strength of the heatmap stays while a reviewer goes from item to item.
let keptHeatmap = { shown: true, opacity: 0.5 };

/** One item: the photo on the left, verdicts and regions beside it, the keys of a reviewer over both. */
export function ItemReview({ item, review }: { item: Item; review: Review }) {
  const t = useText();
  const labels = useQuery(labelsQuery()).data ?? [];
  const [imageIndex, setImageIndex] = useState(0);
  const [tool, setTool] = useState<ImageTool>('pan');
  const [heatmap, setHeatmapState] = useState(keptHeatmap);
  const [modelId, setModelId] = useState<string>();
  const regions = useRegions(item, (edited, all) => void review.judge(edited, false, toAnnotations(all)));
  const assessment = shownAssessment(item, modelId ?? review.modelId);
  const image = item.images[imageIndex];
  const setHeatmap = (next: typeof heatmap) => {
    keptHeatmap = next;
    setHeatmapState(next);
  };

  const judge = (good: boolean, thenNext: boolean) => {
    if (good && regions.all.length > 0) showToast(t('regionsRemoved'));
    const annotations = good ? [] : toAnnotations(regions.all);
    if (good) regions.reset();
    void review.judge(item, good, annotations);
    if (thenNext) void review.go(1);
  };
  const adopt = () => {
    regions.addAll(
      fromAnnotations(
        (assessment?.annotations ?? []).map((one) => ({ ...one, notes: null })),
        item,
      ),
    );
  };
  useItemKeys({ image, regions, tool, setTool, heatmap, setHeatmap, judge, review });

  return (
    <div className="flex min-h-full flex-col lg:h-full">
      <ReviewBar item={item} review={review} judge={judge} />
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        {image && (
          <ItemViewer
            key={image.name}
            {...{ item, image, assessment, regions, labels, tool, setTool, heatmap, setHeatmap, imageIndex }}
            onImage={setImageIndex}
          />
        )}
        <ItemPanel {...{ item, regions, labels, assessment }} onModel={setModelId} onAdopt={adopt} />
      </div>
    </div>
  );
}
