import type { ComponentType } from 'react';
import { createBrowserRouter, useRouteError } from 'react-router';
import type { Role } from '../../../src/roles.ts';
import { may } from '../api/session.ts';
import { Button, LinkButton } from '../components/button.tsx';
import { EmptyNote, Page, useScreenTitle } from '../components/page.tsx';
import { Shell } from '../features/shell/shell.tsx';
import { t } from '../i18n/text.ts';

/** A screen that is loaded when it is first opened. */
const screen = (path: string, load: () => Promise<ComponentType>, needs: Role = 'viewer') => ({
  path,
  lazy: async () => {
    const Component = await load();
    return { Component: () => (may(needs) ? <Component /> : <RoleNeeded role={needs} />) };
  },
});

const screens = [
  screen('/', async () => (await import('../features/start/start-screen.tsx')).StartScreen),
  screen('items', async () => (await import('../features/items/items-screen.tsx')).ItemsScreen),
  screen('items/:itemId', async () => (await import('../features/item/item-screen.tsx')).ItemScreen),
  screen('train', async () => (await import('../features/train/train-screen.tsx')).TrainScreen, 'engineer'),
  screen('models', async () => (await import('../features/model/models-screen.tsx')).ModelsScreen),
  screen('models/:modelId', async () => (await import('../features/model/model-screen.tsx')).ModelScreen),
  screen('stations', async () => (await import('../features/station/stations-screen.tsx')).StationsScreen),
  screen('stations/:stationId', async () => (await import('../features/station/station-screen.tsx')).StationScreen),
  screen('target', async () => (await import('../features/target/target-screen.tsx')).TargetScreen),
  screen('operations', async () => (await import('../features/operations/operations-screen.tsx')).OperationsScreen),
  screen('retention', async () => (await import('../features/retention/retention-screen.tsx')).RetentionScreen),
  screen('people', async () => (await import('../features/people/people-screen.tsx')).PeopleScreen, 'admin'),
  screen('audit', async () => (await import('../features/audit/audit-screen.tsx')).AuditScreen, 'engineer'),
  screen('account', async () => (await import('../features/people/account-screen.tsx')).AccountScreen),
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

/** Replaces a screen that threw an error. A new release may have replaced the files that an open page still loads. */
export function CrashNote() {
  const error = useRouteError();
  useScreenTitle(t('crashTitle'));
  return (
    <Page>
      <EmptyNote title={t('crashTitle')}>
        <p className="text-ink-soft">{error instanceof Error ? error.message : String(error)}</p>
        <Button label={t('crashReload')} look="primary" onClick={() => location.reload()} />
      </EmptyNote>
    </Page>
  );
}

/** In the place of a screen whose requests the service would refuse. */
function RoleNeeded({ role }: { role: Role }) {
  useScreenTitle(t('roleNeededTitle'));
  return (
    <Page>
      <EmptyNote title={t('roleNeededTitle')}>
        <p className="text-ink-soft">{t('roleNeededHint', { role: t(`role.${role}`) })}</p>
        <LinkButton to="/" look="primary" label={t('notFoundBack')} />
      </EmptyNote>
    </Page>
  );
}

export function NotFound() {
  useScreenTitle(t('notFoundTitle'));
  return (
    <Page>
      <EmptyNote title={t('notFoundTitle')}>
        <LinkButton to="/" look="primary" label={t('notFoundBack')} />
      </EmptyNote>
    </Page>
  );
}
