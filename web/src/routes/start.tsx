export { StartScreen } from '../features/start/start-screen.tsx';
