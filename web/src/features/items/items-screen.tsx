import { useEffect, useState } from 'react';
import { useLocation, useNavigationType, useSearchParams } from 'react-router';
import { fetchItemPage, queryClient } from '../../api/queries.ts';
import { may } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { EmptyNote, Loaded, PageHeader } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { t, timeText } from '../../i18n/text.ts';
import { useProduct } from '../../product.ts';
import { useModels } from '../model/use-models.ts';
import { FilterBar, filterKeys, isNarrowed, useItemFilter } from './filter-bar.tsx';
import { Gallery } from './gallery.tsx';
import { SelectionBar, useGalleryKeys, useItemActions } from './item-actions.tsx';
import { backFromItem, lastShown } from './review-list.ts';
import { DropArea } from './upload/drop-area.tsx';
import { UploadDialog } from './upload/upload-dialog.tsx';
import type { ChosenFile, UploadPurpose } from './upload/upload-plan.ts';
import { useGalleryPages, useSelection } from './use-gallery.ts';

export function ItemsScreen() {
  const [query, setQuery] = useSearchParams();
  const type = query.get('type') === 'prediction' ? 'prediction' : 'training';
  const [files, setFiles] = useState<ChosenFile[] | undefined>(() =>
    query.has('upload') && may('inspector') ? [] : undefined,
  );
  const activeModelId = useModels().active?.model_id;
  const { productId } = useProduct();
  // The next review starts from the list as it is now.
  useEffect(() => queryClient.removeQueries({ queryKey: ['review'] }), []);
  /** @param replace the address takes the place of the one before in the history */
  const set = (changes: Record<string, string>, replace = false) =>
    setQuery(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [key, value] of Object.entries(changes)) value ? after.set(key, value) : after.delete(key);
        return after;
      },
      { replace },
    );
  const closeUpload = (purpose: UploadPurpose | undefined) => {
    setFiles(undefined);
    if (purpose) set({ upload: '', type: purpose === 'good' || purpose === 'ng' ? 'training' : 'prediction' });
    else if (query.has('upload')) set({ upload: '' });
  };
  return (
    <DropArea onFiles={setFiles}>
      <div className="flex flex-col gap-3 p-4 lg:p-6">
        <PageHeader title={t('itemsTitle')}>
          <Button icon="upload" needs="inspector" label={t('addImages')} look="primary" onClick={() => setFiles([])} />
        </PageHeader>
        <Tabs
          label={t('kindOfItems')}
          tabs={{ training: t('training'), prediction: t('inspection') }}
          current={type}
          onChange={(next) => setQuery({ type: next })}
        >
          <FilterBar
            key={type}
            query={query}
            onChange={(key, value, isTyped) => set({ [key]: value }, isTyped)}
            onClear={() => set(Object.fromEntries(filterKeys.map((key) => [key, ''])))}
          />
          <ItemsPanel key={`${productId} ${query}`} query={query} activeModelId={activeModelId} />
        </Tabs>
      </div>
      {files && (
        <UploadDialog
          files={files}
          onFiles={setFiles}
          purpose={type === 'training' ? 'good' : 'inspect'}
          modelId={query.get('upload') ?? undefined}
          onClose={closeUpload}
        />
      )}
    </DropArea>
  );
}

function ItemsPanel({ query, activeModelId }: { query: URLSearchParams; activeModelId: string | undefined }) {
  const search = query.toString();
  const filter = useItemFilter(query);
  const [range, setRange] = useState('1-1');
  const pages = useGalleryPages(filter, range);
  const { total, searchedSince, error, refetch } = pages;
  const selection = useSelection();
  const { state } = useLocation();
  const cameBack = useNavigationType() === 'POP' || state === backFromItem;
  const [start] = useState(() => (cameBack && lastShown.search === search ? lastShown.at : undefined));
  const [focused, setFocus] = useState(start ?? 0);
  const focus = Math.min(focused, (total ?? 1) - 1);
  const actions = useItemActions(selection.clear);
  useGalleryKeys({ pages, focus, selection, actions });
  const selectAll = async () => {
    let after: string | undefined;
    do {
      const { items, next } = await fetchItemPage({ ...filter, ...(after ? { after } : {}), count: 200 });
      selection.add(items.map((item) => item.item_id));
      after = next;
    } while (after !== undefined);
  };
  if (total === undefined) return <Loaded query={{ data: total, error, refetch }}>{() => null}</Loaded>;
  if (total === 0) return <NoItems query={query} searchedSince={searchedSince} />;
  return (
    <div className="mt-3 flex flex-col gap-2">
      <p className="text-[13px] text-ink-soft tabular-nums" aria-live="polite">
        {t('itemsCount', { n: total })} <SearchEnd since={searchedSince} />
      </p>
      <Gallery
        pages={pages}
        total={total}
        selection={selection}
        focus={focus}
        startAtFocus={start !== undefined}
        modelId={filter.model_id ?? activeModelId}
        onFocus={setFocus}
        onRange={setRange}
        linkTo={(item, index) => `/items/${item.item_id}?${search}&at=${index}`}
      />
      {selection.ids.size > 0 && (
        <SelectionBar
          ids={[...selection.ids]}
          total={total}
          training={filter.item_type === 'training'}
          activeModelId={activeModelId}
          actions={actions}
          onSelectAll={selectAll}
          onClear={selection.clear}
        />
      )}
    </div>
  );
}

function SearchEnd({ since }: { since: string | undefined }) {
  return since === undefined ? null : <span>{t('searchEnded', { date: timeText(since) })}</span>;
}

function NoItems({ query, searchedSince }: { query: URLSearchParams; searchedSince: string | undefined }) {
  if (isNarrowed(query)) {
    return (
      <EmptyNote title={t('emptyFiltered')}>
        <SearchEnd since={searchedSince} />
      </EmptyNote>
    );
  }
  return (
    <EmptyNote title={t(query.get('type') === 'prediction' ? 'emptyInspection' : 'emptyTraining')}>
      <p className="text-ink-soft">{t('emptyHint')}</p>
    </EmptyNote>
  );
}
