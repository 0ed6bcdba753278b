import { useEffectEvent, useLayoutEffect } from 'react';

/** Functions by `KeyboardEvent.key`, with `Shift+` before it for the key with the shift key. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Whether a key press belongs to the field that it goes to. */
export function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) {
    if (target.type === 'range') return /^(Arrow|Page|Home|End)/.test(key);
    return !['checkbox', 'radio', 'button'].includes(target.type);
  }
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}

/** Whether a key press is meant for the screen: not for a field, a dialog or another part that handled it. */
export function isForScreen(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !isTyping(event) && document.querySelector('[role=dialog]') === null;
}

export function keyName(event: KeyboardEvent): string {
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

/** Keys that act again while they are held: they move, resize or zoom. Any other key acts once for each press. */
const repeating = /^(Arrow\w+|[-+[\]wasd])$/;

/** Keys for the whole screen. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isForScreen(event)) return;
    const key = keyName(event);
    const run = (event.shiftKey ? shortcuts[`Shift+${key}`] : undefined) ?? shortcuts[key];
    if (!run) return;
    event.preventDefault();
    if (!event.repeat || repeating.test(key)) run(event);
  });
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
