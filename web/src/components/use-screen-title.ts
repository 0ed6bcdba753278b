import { useEffect } from 'react';

/** What the tab, the browser's history and a screen reader call the screen. */
export function useScreenTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Kensa`;
  }, [title]);
}
