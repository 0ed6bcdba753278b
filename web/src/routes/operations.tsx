export function OperationsScreen() {
  return null;
}
