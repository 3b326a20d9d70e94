import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Comments name their subject first instead of beginning with a relation. */
const OPENINGS =
  /(?:\/\*\*?\s*(?:\*\s*)?|(?<!\/\/[^\n]*\n[ \t]*)\/\/ )(?:What|Whether|How|Of|Where|Who|Whose|Whoever|Those|The same|Nobody|Told|Said|Made anew)\b/g;

/** Paraphrases of standard terms, such as `timeout`, `similarity`, `outer` and `rebuild`. */
const PARAPHRASES = new Set(
  (
    "anew asked door doors farther given lent likeness likest nearer nobody noted owed patience " +
    "stance told unasked untold wanted wished"
  ).split(" "),
);

/** Occurrences left by folder. A limit may only be lowered; a folder that is not listed has none. */
const OPENINGS_LEFT: Readonly<Record<string, number>> = {};
const PARAPHRASES_LEFT: Readonly<Record<string, number>> = {};

const DECLARATION = /\b(?:const|let|function\*?|class|interface|type|enum)\s+([A-Za-z_$]\w*)/g;

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({
    folder: path.split(/[\\/]/)[0] ?? "",
    text: readFileSync(`src/${path}`, "utf8"),
  }));

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_");
}

function countByFolder(count: (text: string) => number): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { folder, text } of sources) counts[folder] = (counts[folder] ?? 0) + count(text);
  return counts;
}

function foldersAbove(
  counts: Readonly<Record<string, number>>,
  limits: Readonly<Record<string, number>>,
): readonly string[] {
  return Object.entries(counts)
    .filter(([folder, count]) => count > (limits[folder] ?? 0))
    .map(([folder, count]) => `src/${folder}: ${count}, at most ${limits[folder] ?? 0}`);
}

it("begins no further comment with a relation instead of its subject", () => {
  expect(sources.length).toBeGreaterThan(0);
  const counts = countByFolder((text) => text.match(OPENINGS)?.length ?? 0);
  expect(foldersAbove(counts, OPENINGS_LEFT)).toEqual([]);
});

it("declares no further name that paraphrases a standard term", () => {
  const isParaphrase = (name: string) => wordsOf(name).some((word) => PARAPHRASES.has(word));
  const counts = countByFolder(
    (text) => [...text.matchAll(DECLARATION)].filter(([, name = ""]) => isParaphrase(name)).length,
  );
  expect(foldersAbove(counts, PARAPHRASES_LEFT)).toEqual([]);
});
