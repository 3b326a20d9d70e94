/** A limit in milliseconds that a busy machine stays within too. */
export const patiently = (ms: number): number => ms * 3;
