export { OperationsScreen } from '../features/operations/operations-screen.tsx';
