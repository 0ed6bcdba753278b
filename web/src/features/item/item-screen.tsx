import { useState } from 'react';
import type { Item, ModelAssessment, Verdict } from '../../../../src/client/shapes.ts';
import { itemQuery, queryClient } from '../../api/queries.ts';
import { may } from '../../api/session.ts';
import { VerdictBadge } from '../../components/badge.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { shownAssessment } from '../../components/item-tile.tsx';
import { MiddleTruncated } from '../../components/middle-truncated.tsx';
import { EmptyNote, Loaded, Page, useScreenTitle } from '../../components/page.tsx';
import { scoreText } from '../../components/score-text.ts';
import { showError, showToast, ToastPlace } from '../../components/toast.tsx';
import { undoChange, useLastChange } from '../../components/undo.ts';
import { useMedia } from '../../components/use-media.ts';
import { t } from '../../i18n/text.ts';
import { useStore } from '../../store.ts';
import type { Rectangle } from '../viewer/geometry.ts';
import { ItemPanel } from './item-panel.tsx';
import { ItemViewer, regionsOn } from './item-viewer.tsx';
import { NearestGoodDialog } from './nearest-good.tsx';
import { ReviewDesk } from './review-desk.tsx';
import { reviewMode } from './review-mode.ts';
import { type ImageTool, type ItemView, useItemKeys } from './use-item-keys.ts';
import { fromAnnotations, toAnnotations, useRegions } from './use-regions.ts';
import { type Review, useReview } from './use-review.ts';

export function ItemScreen() {
  const review = useReview();
  const { item } = review;
  // Drawing stays on from item to item, until Esc.
  const [tool, setTool] = useState<ImageTool>('pan');
  useScreenTitle(item.data?.name ?? t('itemsTitle'));
  const gone = (
    <Page>
      <EmptyNote title={t('itemGone')}>
        <Button label={t('backToItems')} onClick={review.back} />
      </EmptyNote>
    </Page>
  );
  return (
    <Loaded query={item} gone={gone}>
      {(loaded) => <ItemReview key={loaded.item_id} item={loaded} review={review} tool={tool} setTool={setTool} />}
    </Loaded>
  );
}

interface ItemReviewProps {
  item: Item;
  review: Review;
  tool: ImageTool;
  setTool: (tool: ImageTool) => void;
}

/** One item: the image, with the verdicts and regions beside it. */
function ItemReview({ item, review, tool, setTool }: ItemReviewProps) {
  const [imageIndex, setImageIndex] = useState(0);
  const [modelId, setModelId] = useState<string>();
  const regions = useRegions(item, (edited, all) => review.saveRegions(edited, toAnnotations(all)));
  const assessment = shownAssessment(item, modelId ?? review.modelId);
  const image = item.images[imageIndex];
  const [asked, setAsked] = useState<{ place?: Rectangle | undefined }>();
  const mayExplain = assessment !== undefined && image?.url !== undefined;
  const explain = (place?: Rectangle) => mayExplain && setAsked({ place });
  const view: ItemView = { item, image, assessment, regions, tool, setTool, setImageIndex, setModelId, explain };

  /** Saves the verdict of the person and goes on to the next item. */
  const decide = (verdict: Verdict) => {
    const good = verdict === 'OK';
    if (good && regions.all.length > 0) showToast(t('regionsRemoved'));
    const kept = good ? [] : regions.all;
    regions.settle(kept);
    void review.judge(item, verdict, toAnnotations(kept));
  };
  /** NG of this kind. Without a region of the person, those of the model have the kind. */
  const decideKind = async (label: number) => {
    // What the list knows of an item has no regions.
    const whole = await queryClient.fetchQuery(itemQuery(item.item_id));
    const ofModel = shownAssessment(whole, modelId ?? review.modelId)?.annotations ?? [];
    const found = fromAnnotations(ofModel, item).map((region) => ({ ...region, notes: null }));
    const kept = (regions.all.length > 0 ? regions.all : found).map((region) => ({ ...region, label }));
    if (kept.length === 0) {
      // A kind belongs to a region.
      regions.labelNext(label);
      setTool('draw');
      showToast(t('kindNeedsRegion'));
      return;
    }
    regions.settle(kept);
    void review.judge(item, 'NG', toAnnotations(kept));
  };
  const isReviewing = useStore(reviewMode);
  // The panel is beside the image, and the navigation has no room for messages.
  const isBeside = useMedia('(min-width: 64rem) and (max-width: 79.99rem)');
  const judgeKind = (label: number) => void decideKind(label).catch(showError);
  useItemKeys(view, review, { decide, decideKind: judgeKind });

  const explanation = asked && mayExplain && (
    <NearestGoodDialog
      item={item}
      image={image}
      modelId={assessment.model_id}
      regions={regionsOn(image.name, view)}
      region={asked.place}
      onClose={() => setAsked(undefined)}
    />
  );

  if (isReviewing) {
    return (
      <div className="flex h-full flex-col">
        {explanation}
        <ReviewBar item={item} review={review} assessment={assessment} />
        <div className="flex min-h-0 flex-1">
          {image && <ItemViewer key={image.name} view={view} image={image} review={review} />}
        </div>
        <ReviewDesk
          review={review}
          itemId={item.item_id}
          verdict={item.user_assessment?.result}
          decide={decide}
          decideKind={judgeKind}
        />
      </div>
    );
  }
  return (
    <div className="flex min-h-full flex-col lg:h-full">
      {explanation}
      <ReviewBar item={item} review={review} decide={decide} />
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        {image && <ItemViewer key={image.name} view={view} image={image} review={review} />}
        <div className="flex shrink-0 flex-col border-line bg-surface max-lg:border-t lg:w-68 lg:border-l xl:w-80">
          <ItemPanel view={view} />
          {isBeside && <ToastPlace level="screen" className="has-[li]:border-t has-[li]:border-line has-[li]:p-2" />}
        </div>
      </div>
    </div>
  );
}

interface ReviewBarProps {
  item: Item;
  review: Review;
  /** Absent in review mode, which has larger buttons for verdicts. */
  decide?: (verdict: Verdict) => void;
  /** Shown in review mode, which has no panel beside the image. */
  assessment?: ModelAssessment | undefined;
}

/** The name, the place in the list, and the verdict buttons; on a phone the buttons are at the lower edge. */
function ReviewBar({ item, review, decide, assessment }: ReviewBarProps) {
  const { place } = review;
  const isReviewing = decide === undefined;
  const { what, isOffered } = useLastChange();
  const verdictButton = (verdict: Verdict, key: string) => (
    <Button
      needs="inspector"
      look={verdict === 'OK' ? 'ok' : 'ng'}
      label={t(verdict === 'OK' ? 'markGood' : 'markNg')}
      aria-pressed={verdict === item.user_assessment?.result}
      aria-keyshortcuts={key}
      className="max-lg:min-h-12! max-lg:flex-1 lg:min-w-28!"
      onClick={() => decide?.(verdict)}
    >
      <kbd className="ml-1 rounded border border-current px-1 text-xs opacity-80 max-lg:hidden">{key}</kbd>
    </Button>
  );
  // On a phone, the film strip and a swipe do the same, and the name needs the room.
  const step = isReviewing ? 'max-md:hidden' : '';
  return (
    <header className="flex flex-wrap items-center gap-x-2 border-b border-line bg-surface px-2 py-1">
      <IconButton icon="items" label={t('backToItems')} onClick={review.back} />
      <h1 aria-label={item.name} className="min-w-0 flex-1 text-base font-semibold">
        <MiddleTruncated text={item.name} />
      </h1>
      {assessment && (
        <VerdictBadge verdict={assessment.result} by="model">
          {scoreText(Number(assessment.anomaly_score), assessment.threshold)}
        </VerdictBadge>
      )}
      {place && (
        <span className="text-[13px] text-ink-soft tabular-nums" aria-live="polite">
          {t('position', place)}
        </span>
      )}
      {isReviewing && (
        // The room stays, so that the image does not move with each verdict.
        <ToastPlace
          level="screen"
          className="flex min-h-13 any-pointer-coarse:min-h-14 flex-col justify-center max-sm:order-last max-sm:w-full sm:w-80"
        />
      )}
      <IconButton icon="left" label={t('previousItem')} className={step} onClick={() => review.go(-1)} />
      <IconButton icon="right" label={t('nextItem')} className={step} onClick={() => review.go(1)} />
      <IconButton
        icon="fit"
        label={t('reviewMode')}
        aria-pressed={isReviewing}
        onClick={() => reviewMode.set(!isReviewing)}
      />
      {isReviewing && what !== undefined && !isOffered && (
        <Button
          label={t('undo')}
          size="small"
          title={t('undoWhat', { what })}
          aria-label={t('undoWhat', { what })}
          onClick={() => void undoChange()}
        />
      )}
      {!isReviewing && may('inspector') && (
        <fieldset
          aria-label={t('yourVerdict')}
          className="flex gap-2 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-[calc(3.5rem+env(safe-area-inset-bottom)+1px)] max-lg:z-20 max-lg:border-t max-lg:border-line max-lg:bg-surface max-lg:p-2 md:max-lg:bottom-0 md:max-lg:left-20"
        >
          {verdictButton('OK', 'O')}
          {verdictButton('NG', 'N')}
        </fieldset>
      )}
    </header>
  );
}
