export { ItemScreen } from '../features/item/item-screen.tsx';
