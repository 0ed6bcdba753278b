import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { isForScreen, keyName } from '../../components/shortcuts.ts';
import { screens } from './screens.ts';

const pauseMs = 1200;

/** `g` and then the letter of a screen opens it. Listens before the screens do, whose keys are the same letters. */
export function useGoKeys(): void {
  const navigate = useNavigate();
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isForScreen(event)) return;
      const key = keyName(event);
      const waiting = performance.now() - startedAt < pauseMs;
      startedAt = key === 'g' ? performance.now() : Number.NEGATIVE_INFINITY;
      const screen = waiting ? screens.find((candidate) => candidate.key === key) : undefined;
      if (!screen) return;
      event.preventDefault();
      navigate(screen.path);
    };
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [navigate]);
}
