/** True for a server address rather than a model provider's name. */
export function isServerAddress(word: string): boolean {
  return /^https?:\/\//i.test(word);
}
