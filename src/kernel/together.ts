type Promised<Results extends readonly unknown[]> = {
  readonly [Place in keyof Results]: Promise<Results[Place]>;
};

/**
 * The results of work that goes on side by side. Where some of it fails, the rest is waited for, so
 * that nothing goes on behind the back of the caller; then throws why the first one did.
 */
export async function together<Results extends readonly unknown[]>(
  ...work: Promised<Results>
): Promise<Results> {
  const settled = await Promise.allSettled(work);
  const failed = settled.find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return settled.map((one) =>
    one.status === "fulfilled" ? one.value : undefined,
  ) as unknown as Results;
}
