export { ItemsScreen } from '../features/items/items-screen.tsx';
