import type { IconName } from '../../components/icon.tsx';
import type { MessageKey } from '../../i18n/messages/index.ts';

interface ScreenLink {
  readonly path: string;
  readonly title: MessageKey;
  readonly icon: IconName;
  /** Pressed after `g`. */
  readonly key: string;
}

export const screens: readonly ScreenLink[] = [
  { path: '/', title: 'navStart', icon: 'start', key: 's' },
  { path: '/items', title: 'navItems', icon: 'items', key: 'i' },
  { path: '/train', title: 'navTrain', icon: 'train', key: 't' },
  { path: '/models', title: 'navModels', icon: 'models', key: 'm' },
  { path: '/target', title: 'navTarget', icon: 'target', key: 'p' },
  { path: '/operations', title: 'navOperations', icon: 'operations', key: 'o' },
];
