import type { ComponentType } from 'react';
import { createBrowserRouter } from 'react-router';
import { Shell } from '../features/shell/shell.tsx';
import { CrashNote, NotFound } from './crash-note.tsx';

/** A screen that is loaded when it is first opened. */
const screen = (path: string, load: () => Promise<ComponentType>) => ({
  path,
  lazy: async () => ({ Component: await load() }),
});

const screens = [
  screen('/', async () => (await import('../features/start/start-screen.tsx')).StartScreen),
  screen('items', async () => (await import('../features/items/items-screen.tsx')).ItemsScreen),
  screen('items/:itemId', async () => (await import('../features/item/item-screen.tsx')).ItemScreen),
  screen('train', async () => (await import('../features/train/train-screen.tsx')).TrainScreen),
  screen('models', async () => (await import('../features/model/models-screen.tsx')).ModelsScreen),
  screen('models/:modelId', async () => (await import('../features/model/model-screen.tsx')).ModelScreen),
  screen('target', async () => (await import('../features/target/target-screen.tsx')).TargetScreen),
  screen('operations', async () => (await import('../features/operations/operations-screen.tsx')).OperationsScreen),
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
