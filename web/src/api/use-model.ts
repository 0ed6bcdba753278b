import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { followModel } from '../../../src/client/follow-model.ts';
import { api } from './kensa.ts';
import { inProgress, modelQuery } from './queries.ts';

const pollMs = 700;
// Something between page and service may hold events back without an end.
const checkMs = 5_000;

/** The model, kept up to date by server-sent events while it trains, and by asking again where they cannot be had. */
export function useModel(modelId: string) {
  const queryClient = useQueryClient();
  const [deafTo, setDeafTo] = useState<string>();
  const deaf = deafTo === modelId;
  const model = useQuery({
    ...modelQuery(modelId),
    refetchInterval: ({ state }) => (state.data && inProgress(state.data) ? (deaf ? pollMs : checkMs) : false),
  });
  const training = model.data !== undefined && inProgress(model.data);
  useEffect(() => {
    if (!training || deaf) return;
    const controller = new AbortController();
    const follow = async (): Promise<void> => {
      const { queryKey } = modelQuery(modelId);
      for await (const next of followModel(api, modelId, controller.signal)) queryClient.setQueryData(queryKey, next);
    };
    const giveUp = (): void => {
      if (!controller.signal.aborted) setDeafTo(modelId);
    };
    follow().then(giveUp, giveUp);
    return () => controller.abort();
  }, [training, deaf, modelId, queryClient]);
  return model;
}
