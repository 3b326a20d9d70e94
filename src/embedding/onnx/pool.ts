export const POOLINGS = ["mean", "cls", "last"] as const;
export type Pooling = (typeof POOLINGS)[number];

/** Pools a window's vector from all tokens, including special ones; not normalized. */
export function poolVectors(
  rows: readonly Float32Array[],
  pooling: Pooling | undefined,
): Float32Array {
  if (pooling === "cls") return rows[0] ?? new Float32Array();
  if (pooling === "last") return rows.at(-1) ?? new Float32Array();
  const mean = new Float32Array(rows[0]?.length ?? 0);
  for (const row of rows) {
    for (let index = 0; index < mean.length; index += 1) {
      mean[index] = (mean[index] ?? 0) + (row[index] ?? 0) / rows.length;
    }
  }
  return mean;
}
