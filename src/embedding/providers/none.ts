/** No vectors: recall works on text, entities and the graph. */
export function createNone(): null {
  return null;
}
