import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import { api, ofStation } from '../../api/kensa.ts';
import { refreshAll } from '../../api/queries.ts';
import { ActionButton } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { t } from '../../i18n/text.ts';

const everyMs = 500;

/** What the camera of a station sees now. */
export function LivePreview({ stationId }: { stationId: string }) {
  const { data, error } = useQuery({
    queryKey: ['station-preview', stationId],
    queryFn: async ({ signal }) => {
      const answer = await api.GET('/api/v1/stations/{station_id}/preview', {
        ...ofStation(stationId),
        signal,
        parseAs: 'blob',
      });
      return answer.data as Blob;
    },
    refetchInterval: everyMs,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const url = useObjectUrl(data);
  const inspect = async () => {
    const params = { ...ofStation(stationId).params, query: { timeout_ms: 10_000 } };
    await dataOf(api.POST('/api/v1/stations/{station_id}/trigger', { params, body: null }));
    await refreshAll();
  };
  return (
    <Card
      title={t('livePreview')}
      aside={<ActionButton label={t('takeImageNow')} size="small" needs="inspector" action={inspect} />}
    >
      {error && <p className="mb-2 text-warn">{error.message}</p>}
      {url && <img src={url} alt={t('livePreview')} className="w-full rounded-md bg-[#0b1013]" />}
    </Card>
  );
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    // The image that is shown stays until the next one is set.
    return () => void setTimeout(() => URL.revokeObjectURL(made), everyMs);
  }, [blob]);
  return url;
}
