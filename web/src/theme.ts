import { createStore, useStore } from './store.ts';

export type Theme = 'light' | 'dark';

const storageKey = 'kensa-theme';
const theme = createStore<Theme>(initialTheme());
document.documentElement.dataset['theme'] = theme.get();

function initialTheme(): Theme {
  const kept = localStorage.getItem(storageKey);
  if (kept === 'light' || kept === 'dark') return kept;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function setTheme(next: Theme): void {
  document.documentElement.dataset['theme'] = next;
  localStorage.setItem(storageKey, next);
  theme.set(next);
}

export const useTheme = (): Theme => useStore(theme);
