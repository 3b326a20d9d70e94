/** Whether a word of the command line is the address of a server rather than a service of models. */
export function isServerAddress(word: string): boolean {
  return /^https?:\/\//i.test(word);
}
