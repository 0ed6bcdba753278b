import { createStore, useStore } from '../store.ts';

export type Language = 'en' | 'ja';

const storageKey = 'kensa-language';
const language = createStore<Language>(initialLanguage());
document.documentElement.lang = language.get();

function initialLanguage(): Language {
  const kept = localStorage.getItem(storageKey);
  if (kept === 'en' || kept === 'ja') return kept;
  return navigator.language.toLowerCase().startsWith('ja') ? 'ja' : 'en';
}

export const currentLanguage = language.get;

export function setLanguage(next: Language): void {
  document.documentElement.lang = next;
  localStorage.setItem(storageKey, next);
  language.set(next);
}

export const useLanguage = (): Language => useStore(language);
