import { createBrowserRouter } from 'react-router';
import { Shell } from '../features/shell/shell.tsx';
import { CrashNote, NotFound } from './crash-note.tsx';

/** The screens; each is loaded when it is first opened. */
export function createRouter(): ReturnType<typeof createBrowserRouter> {
  return createBrowserRouter([
    {
      Component: Shell,
      ErrorBoundary: CrashNote,
      HydrateFallback: () => null,
      children: [
        {
          ErrorBoundary: CrashNote,
          children: [
            { index: true, lazy: async () => ({ Component: (await import('./start.tsx')).StartScreen }) },
            { path: 'items', lazy: async () => ({ Component: (await import('./items.tsx')).ItemsScreen }) },
            { path: 'items/:itemId', lazy: async () => ({ Component: (await import('./item.tsx')).ItemScreen }) },
            { path: 'train', lazy: async () => ({ Component: (await import('./train.tsx')).TrainScreen }) },
            { path: 'models', lazy: async () => ({ Component: (await import('./models.tsx')).ModelsScreen }) },
            { path: 'models/:modelId', lazy: async () => ({ Component: (await import('./model.tsx')).ModelScreen }) },
            { path: 'target', lazy: async () => ({ Component: (await import('./target.tsx')).TargetScreen }) },
            {
              path: 'operations',
              lazy: async () => ({ Component: (await import('./operations.tsx')).OperationsScreen }),
            },
            { path: '*', Component: NotFound },
          ],
        },
      ],
    },
  ]);
}
