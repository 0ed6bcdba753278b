import { createBrowserRouter } from 'react-router';
import { Shell } from '../features/shell/shell.tsx';
import { CrashNote, NotFound } from './crash-note.tsx';

/** The screens. Each is loaded when it is first opened. */
const screens = [
  { index: true, lazy: async () => ({ Component: (await import('../features/start/start-screen.tsx')).StartScreen }) },
  {
    path: 'items',
    lazy: async () => ({ Component: (await import('../features/items/items-screen.tsx')).ItemsScreen }),
  },
  {
    path: 'items/:itemId',
    lazy: async () => ({ Component: (await import('../features/item/item-screen.tsx')).ItemScreen }),
  },
  {
    path: 'train',
    lazy: async () => ({ Component: (await import('../features/train/train-screen.tsx')).TrainScreen }),
  },
  {
    path: 'models',
    lazy: async () => ({ Component: (await import('../features/model/models-screen.tsx')).ModelsScreen }),
  },
  {
    path: 'models/:modelId',
    lazy: async () => ({ Component: (await import('../features/model/model-screen.tsx')).ModelScreen }),
  },
  {
    path: 'target',
    lazy: async () => ({ Component: (await import('../features/target/target-screen.tsx')).TargetScreen }),
  },
  {
    path: 'operations',
    lazy: async () => ({ Component: (await import('../features/operations/operations-screen.tsx')).OperationsScreen }),
  },
  { path: '*', Component: NotFound },
];

export function createRouter(): ReturnType<typeof createBrowserRouter> {
  return createBrowserRouter([
    {
      Component: Shell,
      ErrorBoundary: CrashNote,
      HydrateFallback: () => null,
      children: [{ ErrorBoundary: CrashNote, children: screens }],
    },
  ]);
}
