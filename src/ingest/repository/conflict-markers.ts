const OURS = /^<{7}(?: |$)/;
const BASE = /^\|{7}(?: |$)/;
const BETWEEN = /^={7}$/;
const THEIRS = /^>{7}(?: |$)/;

/**
 * The two files that git could not merge, of the one in which it left its marks; the same twice where
 * there are none. Undefined: the marks are not whole, since somebody has begun to solve it by hand.
 */
export function splitMarked(text: string): readonly [string, string] | undefined {
  const sides: [string[], string[]] = [[], []];
  let place: "both" | "ours" | "base" | "theirs" = "both";
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    if (OURS.test(line)) {
      if (place !== "both") return undefined;
      place = "ours";
    } else if (BASE.test(line) && place === "ours") place = "base";
    else if (BETWEEN.test(line) && (place === "ours" || place === "base")) place = "theirs";
    else if (THEIRS.test(line)) {
      if (place !== "theirs") return undefined;
      place = "both";
    } else {
      if (place === "both" || place === "ours") sides[0].push(line);
      if (place === "both" || place === "theirs") sides[1].push(line);
    }
  }
  return place === "both" ? [sides[0].join("\n"), sides[1].join("\n")] : undefined;
}
