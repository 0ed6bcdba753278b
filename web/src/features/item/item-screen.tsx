import { KensaError } from '../../../../src/client/kensa-error.ts';
import type { Item } from '../../../../src/client/shapes.ts';
import { Button } from '../../components/button.tsx';
import { EmptyNote, Page } from '../../components/card.tsx';
import { Loaded } from '../../components/loading.tsx';
import { useScreenTitle } from '../../components/use-screen-title.ts';
import { useText } from '../../i18n/use-text.ts';
import { ItemReview } from './item-review.tsx';
import { useReview } from './use-review.ts';

export type Review = ReturnType<typeof useReview>;

export function ItemScreen() {
  const t = useText();
  const review = useReview();
  const { item } = review;
  useScreenTitle(item.data?.name ?? t('itemsTitle'));
  if (item.error instanceof KensaError && item.error.status === 404) {
    return (
      <Page>
        <EmptyNote title={t('itemGone')}>
          <Button onClick={review.back}>{t('backToItems')}</Button>
        </EmptyNote>
      </Page>
    );
  }
  return (
    <Loaded query={item}>{(loaded: Item) => <ItemReview key={loaded.item_id} item={loaded} review={review} />}</Loaded>
  );
}
