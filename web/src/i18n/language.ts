import { useSyncExternalStore } from 'react';

export type Language = 'en' | 'ja';

const storageKey = 'kensa-language';
const listeners = new Set<() => void>();

function initialLanguage(): Language {
  const kept = localStorage.getItem(storageKey);
  if (kept === 'en' || kept === 'ja') return kept;
  return navigator.language.toLowerCase().startsWith('ja') ? 'ja' : 'en';
}

let language: Language = initialLanguage();
document.documentElement.lang = language;

export function currentLanguage(): Language {
  return language;
}

export function setLanguage(next: Language): void {
  language = next;
  document.documentElement.lang = next;
  localStorage.setItem(storageKey, next);
  for (const listener of listeners) listener();
}

export function useLanguage(): Language {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => language,
  );
}
