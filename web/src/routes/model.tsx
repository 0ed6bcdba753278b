export { ModelScreen } from '../features/model/model-screen.tsx';
