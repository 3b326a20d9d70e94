/** The ops of a changeset that is written as JSON; undefined where it is not, or not whole. */
export function opsOfJson(text: string): readonly unknown[] | undefined {
  const source = text.replace(/^\uFEFF/, "").trim();
  if (!/^[[{]/.test(source)) return undefined;
  try {
    const ops: unknown = JSON.parse(source.startsWith("{") ? `[${source}]` : source);
    return Array.isArray(ops) ? ops : undefined;
  } catch {
    // Whoever reads it as a changeset says what is wrong.
    return undefined;
  }
}
