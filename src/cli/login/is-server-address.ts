/** True if an argument is the address of a server rather than the name of a model service. */
export function isServerAddress(word: string): boolean {
  return /^https?:\/\//i.test(word);
}
