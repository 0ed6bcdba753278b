export { ModelsScreen } from '../features/model/models-screen.tsx';
