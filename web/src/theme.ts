import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const storageKey = 'kensa-theme';
const listeners = new Set<() => void>();
const kept = localStorage.getItem(storageKey);
const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
let theme: Theme = kept === 'light' || kept === 'dark' ? kept : preferred;
document.documentElement.dataset['theme'] = theme;

export function setTheme(next: Theme): void {
  theme = next;
  document.documentElement.dataset['theme'] = next;
  localStorage.setItem(storageKey, next);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => theme,
  );
}
