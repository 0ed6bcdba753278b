export function ModelsScreen() {
  return null;
}
