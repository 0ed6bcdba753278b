import { QueryClient } from '@tanstack/react-query';
import { KensaError } from '../../../src/client/kensa-error.ts';
import { showError } from '../components/toast.tsx';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The service may run on this machine, where no network is needed.
      networkMode: 'always',
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 2 && !(error instanceof KensaError && error.status >= 400 && error.status < 500),
    },
    mutations: { networkMode: 'always', onError: (error) => showError(error) },
  },
});

/** Everything on the screen is fetched again, everything else when it is next shown. */
export const refreshAll = (): Promise<void> => queryClient.invalidateQueries();
