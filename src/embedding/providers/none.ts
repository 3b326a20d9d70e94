export function createNone(): null {
  return null;
}
