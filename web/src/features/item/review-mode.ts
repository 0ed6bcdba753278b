import { createStore } from '../../store.ts';

/** Whether the screen of an item has the image, large buttons and a film strip alone. It stays from item to item. */
export const reviewMode = createStore(false);
