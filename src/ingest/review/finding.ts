import { invalidInput } from "../../shared/errors.ts";
import { packageDescription } from "../../shared/package.ts";
import { gitOutput } from "../sources/index.ts";

export interface AddedLine {
  /** Line number in the new file, from 1. */
  readonly line: number;
  readonly text: string;
}

export interface ChangedFile {
  readonly path: string;
  readonly added: readonly AddedLine[];
}

/** Returns the files and added lines of a unified git diff, without deleted files. */
export function parseChangedFiles(diff: string): readonly ChangedFile[] {
  const files: { path: string; added: AddedLine[] }[] = [];
  let next = 0;
  let oldLeft = 0;
  let newLeft = 0;
  for (const text of diff.split("\n")) {
    if (oldLeft > 0 || newLeft > 0) {
      // In a hunk, `+++ x` is an added line.
      if (text.startsWith("+")) {
        files.at(-1)?.added.push({ line: next, text: text.slice(1).replace(/\r$/, "") });
        next += 1;
        newLeft -= 1;
      } else if (text.startsWith("-")) oldLeft -= 1;
      else if (!text.startsWith("\\")) {
        next += 1;
        oldLeft -= 1;
        newLeft -= 1;
      }
      continue;
    }
    const named = /^\+\+\+ (.*?)\t?$/.exec(text)?.[1];
    if (named !== undefined) {
      const path = parsePath(named);
      files.push({ path, added: [] });
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk === null) continue;
    oldLeft = Number(hunk[1] ?? 1);
    next = Number(hunk[2]);
    newLeft = Number(hunk[3] ?? 1);
  }
  return files.filter(({ path }) => path !== "/dev/null");
}

function parsePath(named: string): string {
  const plain = /^".*"$/.test(named) ? unquotePath(named) : named;
  return plain === "/dev/null" ? plain : plain.replace(/^[bw]\//, "");
}

const ESCAPE_CHARACTERS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function unquotePath(named: string): string {
  return named
    .slice(1, -1)
    .replaceAll(/\\(.)/g, (_, character: string) => ESCAPE_CHARACTERS[character] ?? character);
}
/** Highest severity first. */
export const LEVELS = ["error", "warning", "note"] as const;

export type Level = (typeof LEVELS)[number];

export const RULE_DESCRIPTIONS = {
  "repeated-mistake": "The change repeats code that was reverted or corrected before.",
  "contradicted-decision": "The change contradicts a decision or preference.",
  "missing-requirement": "The change lacks something that a decision requires with it.",
  "open-conflict": "An open conflict concerns the file.",
  "related-decision": "A decision or preference concerns the file.",
  "past-mistake": "A past mistake concerns the file.",
} as const;

export type Rule = keyof typeof RULE_DESCRIPTIONS;

/** A finding about a change. */
export interface ReviewFinding {
  readonly rule: Rule;
  readonly level: Level;
  readonly path: string;
  readonly line?: number;
  readonly message: string;
  /** Id of the supporting item: `ep:41`. */
  readonly id: string;
  readonly at: string;
  readonly by: string | null;
}

export function isAtLeast(finding: ReviewFinding, level: Level): boolean {
  return LEVELS.indexOf(finding.level) <= LEVELS.indexOf(level);
}

interface ChangeRequest {
  readonly folder: string;
  readonly range?: string | undefined;
}

/** Reads a diff with paths relative to the worktree root. Throws invalid_input. */
export async function readChange({
  folder,
  range = "HEAD",
}: ChangeRequest): Promise<readonly ChangedFile[]> {
  if (range.startsWith("-")) throw invalidInput(`range: "${range}" is not a range of commits.`);
  const plain = ["--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/"];
  const { text, lastLine } = await gitOutput(folder, [
    ...["diff", "--unified=0", "--find-renames", ...plain, "--dst-prefix=b/"],
    range,
    "--",
  ]);
  if (text === undefined) throw invalidInput(`range: git cannot show "${range}" (${lastLine}).`);
  return parseChangedFiles(text);
}

export function formatAsText(findings: readonly ReviewFinding[], files: number): string {
  const lines = findings.map(
    (finding) => `${formatLocation(finding)}: ${finding.level}: ${quoteFinding(finding)}`,
  );
  const sums = LEVELS.flatMap((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return count === 0 ? [] : [`${count} ${level}${count === 1 ? "" : "s"}`];
  });
  const summary = `${files} changed ${files === 1 ? "file" : "files"}`;
  const sum = sums.length === 0 ? "no findings in memory" : sums.join(", ");
  return `${[...lines, `${summary}: ${sum}.`].join("\n")}\n`;
}

const ANNOTATION_COMMANDS = { error: "error", warning: "warning", note: "notice" } as const;

export function formatAsAnnotations(findings: readonly ReviewFinding[]): string {
  return findings
    .map((finding) => {
      const { level, rule, path, line } = finding;
      const at = line === undefined ? "" : `,line=${line}`;
      const parameters = `file=${escapeProperty(path)}${at},title=${escapeProperty(`cairn: ${rule}`)}`;
      return `::${ANNOTATION_COMMANDS[level]} ${parameters}::${escapeData(quoteFinding(finding))}\n`;
    })
    .join("");
}

/** `decision: “…” (ep:41, 2026-03-03)` */
export function quoteFinding({ message, id, at, by }: ReviewFinding): string {
  const author = by === null || by === "" ? "" : `, ${by}`;
  return `${message} (${id}, ${at.slice(0, 10)}${author})`;
}

function formatLocation({ path, line }: ReviewFinding): string {
  return line === undefined ? path : `${path}:${line}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** SARIF 2.1.0 (OASIS) for code scanning. */
export function toSarif(findings: readonly ReviewFinding[]): object {
  const ids = Object.keys(RULE_DESCRIPTIONS);
  const { version } = packageDescription();
  return {
    $schema:
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "cairn",
            version,
            informationUri: "https://www.npmjs.com/package/cairn-memory",
            rules: Object.entries(RULE_DESCRIPTIONS).map(([id, text]) => ({
              id,
              shortDescription: { text },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: ids.indexOf(finding.rule),
          level: finding.level,
          message: { text: quoteFinding(finding) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodePath(finding.path), uriBaseId: "%SRCROOT%" },
                region: { startLine: finding.line ?? 1 },
              },
            },
          ],
          partialFingerprints: { "memory/v1": `${finding.rule}:${finding.id}:${finding.path}` },
        })),
      },
    ],
  };
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
