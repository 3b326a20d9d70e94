/**
 * How lines that were wanted with one indentation are written with the one that is there; undefined
 * when no one rule leads from the one to the other.
 */
export function indentationShift(
  there: readonly string[],
  wanted: readonly string[],
): ((lines: readonly string[]) => readonly string[] | undefined) | undefined {
  const pairs = there
    .map((line, index) => [indentOf(wanted[index] ?? ""), indentOf(line), line] as const)
    .filter(([, , line]) => line.trim() !== "")
    .map(([from, to]) => [from, to] as const);
  const known = new Map(pairs);
  if (pairs.some(([from, to]) => known.get(from) !== to)) return undefined;
  const rule = addition(pairs) ?? removal(pairs) ?? exchange(pairs);
  return (lines) => {
    const shifted = lines.map((line) => {
      if (line.trim() === "") return line;
      const from = indentOf(line);
      const to = known.get(from) ?? rule?.(from);
      return to === undefined ? undefined : to + line.slice(from.length);
    });
    return shifted.every((line) => line !== undefined) ? shifted : undefined;
  };
}

type Pairs = readonly (readonly [from: string, to: string])[];
type Rule = (indent: string) => string | undefined;

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The lines there have the same more in front. */
function addition(pairs: Pairs): Rule | undefined {
  const [from, to] = pairs[0] ?? ["", ""];
  if (!to.endsWith(from)) return undefined;
  const more = to.slice(0, to.length - from.length);
  if (!pairs.every(([a, b]) => b === more + a)) return undefined;
  return (indent) => more + indent;
}

/** The lines there have the same less in front. */
function removal(pairs: Pairs): Rule | undefined {
  const [from, to] = pairs[0] ?? ["", ""];
  if (!from.endsWith(to)) return undefined;
  const less = from.slice(0, from.length - to.length);
  if (!pairs.every(([a, b]) => a === less + b)) return undefined;
  return (indent) => (indent.startsWith(less) ? indent.slice(less.length) : undefined);
}

const WIDTHS = [2, 4, 8, 3];

/** Tabs there and blanks here, or the other way round, or steps of another width. */
function exchange(pairs: Pairs): Rule | undefined {
  const units = ["\t", ...WIDTHS.map((width) => " ".repeat(width))];
  for (const from of units) {
    for (const to of units) {
      if (from === to) continue;
      const rule: Rule = (indent) => steps(indent, from, to);
      if (pairs.every(([a, b]) => rule(a) === b)) return rule;
    }
  }
  return undefined;
}

function steps(indent: string, from: string, to: string): string | undefined {
  const count = indent.length / from.length;
  return indent === from.repeat(Math.floor(count)) ? to.repeat(count) : undefined;
}
