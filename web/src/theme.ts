import { createStore, useStore } from './store.ts';

const storageKey = 'kensa-theme';
const kept = localStorage.getItem(storageKey);
const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const theme = createStore<'light' | 'dark'>(kept === 'light' || kept === 'dark' ? kept : preferred);
document.documentElement.dataset['theme'] = theme.get();

export function setTheme(next: 'light' | 'dark'): void {
  document.documentElement.dataset['theme'] = next;
  localStorage.setItem(storageKey, next);
  theme.set(next);
}

export const useTheme = () => useStore(theme);
