export { TargetScreen } from '../features/target/target-screen.tsx';
