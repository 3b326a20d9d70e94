import type { Memory, OutputOf } from "../../memory/index.ts";
import {
  findRejectedWord,
  listComparableWords,
  listDistinctiveWords,
  loadRules,
  MAX_RULES,
  REQUIREMENT_PATTERN,
  toComparable,
} from "../../memory/index.ts";
import { shortenLine } from "../../shared/text.ts";
import type { AddedLine, ChangedFile } from "./finding.ts";
import { LEVELS, type Level, type ReviewFinding, type Rule } from "./finding.ts";

type FindLine = (word: string) => AddedLine | undefined;

/**
 * Returns the first added line about the subject of a requirement, such as an endpoint, if the
 * change contains nothing that is required, such as a test.
 */
function findLackingLine(
  statement: string,
  findLine: FindLine,
  wholeChange: ReadonlySet<string>,
): AddedLine | undefined {
  const [, subject = "", required = ""] = REQUIREMENT_PATTERN.exec(statement) ?? [];
  const requiredWords = listDistinctiveWords(required);
  const isMet = requiredWords.some((word) => wholeChange.has(toComparable(word)));
  if (requiredWords.length === 0 || isMet) return undefined;
  for (const word of listDistinctiveWords(subject)) {
    const line = findLine(word);
    if (line !== undefined) return line;
  }
  return undefined;
}

type Item = OutputOf<"items">["items"][number];
type Mistake = OutputOf<"mistakes">["mistakes"][number];

const MAX_MISTAKES = 500;
const MAX_FILE_MATTERS = 20;
const MAX_NOTES = 3;
/** Maximum quoted characters, including the ellipsis. */
const QUOTED_CHARACTERS = 301;

export async function findFindings(
  memory: Memory,
  files: readonly ChangedFile[],
): Promise<readonly ReviewFinding[]> {
  if (!(await memory.isThere())) return [];
  const statements = await loadRules(memory, { limit: MAX_RULES });
  const change = listComparableWords(
    files.flatMap(({ added }) => added.map(({ text }) => text)).join("\n"),
  );
  const { mistakes } = await memory.execute("mistakes", { limit: MAX_MISTAKES });
  const context = { statements, change, mistakes };
  const findings: ReviewFinding[] = [];
  for (const file of files) findings.push(...(await findFileFindings(memory, file, context)));
  return findings.sort(
    (a, b) =>
      LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) ||
      a.path.localeCompare(b.path) ||
      (a.line ?? 0) - (b.line ?? 0),
  );
}

interface ReviewContext {
  readonly statements: readonly Item[];
  readonly change: ReadonlySet<string>;
  readonly mistakes: readonly Mistake[];
}

interface FileWords {
  readonly file: ChangedFile;
  /** Comparable words of the added lines. */
  readonly words: ReadonlySet<string>;
  readonly findLine: FindLine;
}

/** Splits each added line once, since every rule is compared with all of them. */
function indexWords(file: ChangedFile): FileWords {
  const firstLines = new Map<string, AddedLine>();
  for (const line of file.added) {
    for (const word of listComparableWords(line.text)) {
      if (!firstLines.has(word)) firstLines.set(word, line);
    }
  }
  return {
    ...{ file, words: new Set(firstLines.keys()) },
    findLine: (word) => firstLines.get(toComparable(word)),
  };
}

async function findFileFindings(
  memory: Memory,
  file: ChangedFile,
  { statements, change, mistakes }: ReviewContext,
): Promise<readonly ReviewFinding[]> {
  const repeated = await findRepeatedMistakes(memory, file);
  const ofFile = await loadRules(memory, {
    entity: `file:${file.path}`,
    limit: MAX_FILE_MATTERS,
  });
  const all = [...new Map([...ofFile, ...statements].map((item) => [item.id, item])).values()];
  const fileWords = indexWords(file);
  const certain = all.flatMap((item) => findRuledOut(item, fileWords, change) ?? []);
  const reported = new Set([...repeated, ...certain].map(({ id }) => id));
  const disputed = await findDisputedFacts(memory, file);
  const notes = [
    ...disputed,
    ...ofFile.map((item) => createFileFinding(item, file, "related-decision", "note")),
    ...findFailedBefore(mistakes, file),
  ].filter(({ id }) => !reported.has(id));
  return [...repeated, ...certain, ...notes.slice(0, MAX_NOTES)];
}

function findRuledOut(
  item: Item,
  { file, words, findLine }: FileWords,
  change: ReadonlySet<string>,
): ReviewFinding | undefined {
  const rejected = findRejectedWord(item.text, words);
  const against = rejected === undefined ? undefined : findLine(rejected);
  if (against !== undefined) {
    const finding = createFileFinding(item, file, "contradicted-decision", "warning");
    return { ...finding, line: against.line };
  }
  const lacking = findLackingLine(item.text, findLine, change);
  if (lacking === undefined) return undefined;
  const finding = createFileFinding(item, file, "missing-requirement", "warning");
  return { ...finding, line: lacking.line };
}

async function findDisputedFacts(
  memory: Memory,
  { path }: ChangedFile,
): Promise<readonly ReviewFinding[]> {
  const { items } = await memory.execute("items", {
    kinds: ["fact"],
    entity: `file:${path}`,
    limit: MAX_FILE_MATTERS,
  });
  return items
    .filter((item) => item.open_conflicts.length > 0)
    .map((item) => createFileFinding(item, { path }, "open-conflict", "note"));
}

function createFileFinding(
  item: Item,
  { path }: Pick<ChangedFile, "path">,
  rule: Rule,
  level: Level,
): ReviewFinding {
  const id = item.episode_id ?? item.id;
  const { at, asserted_by: by, type } = item;
  return {
    rule,
    level,
    path,
    message: `${type}: “${shortenLine(item.text, QUOTED_CHARACTERS)}”`,
    id,
    at,
    by,
  };
}

async function findRepeatedMistakes(
  memory: Memory,
  { path, added }: ChangedFile,
): Promise<readonly ReviewFinding[]> {
  const text = added.map((one) => one.text).join("\n");
  if (text.trim() === "") return [];
  const { mistakes } = await memory.execute("mistakes", { file: path, text });
  return mistakes.map((mistake) => {
    const mistakenLines = new Set((mistake.wrote ?? []).map((line) => line.trim()));
    const line = added.find(
      (one) => one.text.trim() !== "" && mistakenLines.has(one.text.trim()),
    )?.line;
    const found = toFinding(mistake, path, { rule: "repeated-mistake", level: "error" });
    return line === undefined ? found : { ...found, line };
  });
}

function findFailedBefore(
  mistakes: readonly Mistake[],
  { path }: ChangedFile,
): readonly ReviewFinding[] {
  return mistakes
    .filter(({ file }) => file === path)
    .map((mistake) => toFinding(mistake, path, { rule: "past-mistake", level: "note" }));
}

function toFinding(
  { id, at, asserted_by: by, wanted, content }: Mistake,
  path: string,
  kind: Pick<ReviewFinding, "rule" | "level">,
): ReviewFinding {
  const instruction =
    wanted === "" || content.includes(wanted)
      ? ""
      : ` Wanted: “${shortenLine(wanted, QUOTED_CHARACTERS)}”`;
  return {
    ...kind,
    path,
    message: `mistake: “${shortenLine(content, QUOTED_CHARACTERS)}”${instruction}`,
    id,
    at,
    by,
  };
}
