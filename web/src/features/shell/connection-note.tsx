import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useReachable } from '../../api/connection.ts';
import { Icon } from '../../components/icon.tsx';
import { useText } from '../../i18n/use-text.ts';

const againMs = 3_000;

/** Says that what is shown may be old while the server is away, and asks for all of it when it is back. */
export function ConnectionNote() {
  const t = useText();
  const queryClient = useQueryClient();
  const reachable = useReachable();
  useEffect(() => {
    if (reachable) return;
    const timer = setInterval(() => void queryClient.invalidateQueries(), againMs);
    return () => {
      clearInterval(timer);
      void queryClient.invalidateQueries();
    };
  }, [reachable, queryClient]);
  if (reachable) return null;
  return (
    <p role="status" className="flex items-center gap-2 border-b border-line bg-warn-soft px-4 py-2 text-warn">
      <Icon name="warning" /> {t('unreachableNote')}
    </p>
  );
}
