export function TrainScreen() {
  return null;
}
