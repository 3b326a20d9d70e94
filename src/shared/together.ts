/**
 * Waits for all work that runs side by side and returns its results. If some of it fails, the rest is still
 * awaited, so that nothing runs on unseen by the caller; then the first error is thrown.
 */
export async function together<const Work extends readonly Promise<unknown>[]>(
  ...work: Work
): Promise<{ -readonly [Place in keyof Work]: Awaited<Work[Place]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
