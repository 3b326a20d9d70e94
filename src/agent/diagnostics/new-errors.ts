/** Lines of a check's output that name a place or an error. */
const TELLING = /[:(]\d+([:,]\d+)?\)?|\berror\b|\bwarning\b|^\s*(-->|E\d+|✖|×)/i;

/** The lines of an output that tell of errors, in order. */
export function errorLines(output: string): readonly string[] {
  return output
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => TELLING.test(line));
}

/**
 * Lines of `now` that `before` does not have, each as often as it has more of them. Numbers do not
 * count: an edit above moves an error, and totals change.
 */
export function newErrors(before: readonly string[], now: readonly string[]): readonly string[] {
  const known = new Map<string, number>();
  for (const line of before) known.set(shapeOf(line), (known.get(shapeOf(line)) ?? 0) + 1);
  return now.filter((line) => {
    const shape = shapeOf(line);
    const left = known.get(shape) ?? 0;
    known.set(shape, left - 1);
    return left <= 0;
  });
}

function shapeOf(line: string): string {
  return line.replace(/\d+/g, "#").replace(/\s+/g, " ").trim();
}
