import { createStore } from './store.ts';

/** A choice of the user. The browser keeps it, and the document shows it. */
function createPreference<Choice extends string>(
  name: string,
  choices: readonly Choice[],
  preferred: Choice,
  show: (choice: Choice) => void,
) {
  const storageKey = `kensa-${name}`;
  const kept = localStorage.getItem(storageKey);
  const store = createStore(choices.find((choice) => choice === kept) ?? preferred);
  show(store.get());
  return {
    ...store,
    set(next: Choice): void {
      localStorage.setItem(storageKey, next);
      // Charts read their colours from the document when the store reports the change.
      show(next);
      store.set(next);
    },
  };
}

const preferredLanguage = navigator.language.toLowerCase().startsWith('ja') ? 'ja' : 'en';
const preferredTheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';

export const language = createPreference<'en' | 'ja'>('language', ['en', 'ja'], preferredLanguage, (choice) => {
  document.documentElement.lang = choice;
});

export const theme = createPreference<'light' | 'dark'>('theme', ['light', 'dark'], preferredTheme, (choice) => {
  document.documentElement.dataset['theme'] = choice;
});
