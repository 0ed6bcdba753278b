export function ModelScreen() {
  return null;
}
