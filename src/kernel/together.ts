/**
 * The results of work that goes on side by side. Where some of it fails, the rest is waited for, so
 * that nothing goes on behind the back of the caller; then throws why the first one did.
 */
export async function together<const Work extends readonly Promise<unknown>[]>(
  ...work: Work
): Promise<{ -readonly [Place in keyof Work]: Awaited<Work[Place]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
