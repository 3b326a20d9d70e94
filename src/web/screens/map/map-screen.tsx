/** Drawn later. */
export function MapScreen() {
  return null;
}
