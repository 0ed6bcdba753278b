export { TrainScreen } from '../features/train/train-screen.tsx';
