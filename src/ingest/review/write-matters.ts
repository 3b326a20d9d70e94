import { packageDescription } from "../../shared/package.ts";
import { LEVELS, type Matter, RULES } from "./matter.ts";

export function asText(matters: readonly Matter[], files: number): string {
  const lines = matters.map((matter) => `${placeOf(matter)}: ${matter.level}: ${saidOf(matter)}`);
  const sums = LEVELS.flatMap((level) => {
    const count = matters.filter((matter) => matter.level === level).length;
    return count === 0 ? [] : [`${count} ${level}${count === 1 ? "" : "s"}`];
  });
  const looked = `${files} changed ${files === 1 ? "file" : "files"}`;
  const sum = sums.length === 0 ? "nothing in memory speaks of it" : sums.join(", ");
  return `${[...lines, `${looked}: ${sum}.`].join("\n")}\n`;
}

const COMMANDS = { error: "error", warning: "warning", note: "notice" } as const;

/** Workflow commands, which GitHub shows at the lines of a pull request. */
export function asAnnotations(matters: readonly Matter[]): string {
  return matters
    .map((matter) => {
      const { level, rule, path, line } = matter;
      const at = line === undefined ? "" : `,line=${line}`;
      const place = `file=${property(path)}${at},title=${property(`cairn: ${rule}`)}`;
      return `::${COMMANDS[level]} ${place}::${data(saidOf(matter))}\n`;
    })
    .join("");
}

/** `decision: “…” (ep:41, 2026-03-03)` */
export function saidOf({ message, id, at, by }: Matter): string {
  const who = by === null || by === "" ? "" : `, ${by}`;
  return `${message} (${id}, ${at.slice(0, 10)}${who})`;
}

function placeOf({ path, line }: Matter): string {
  return line === undefined ? path : `${path}:${line}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** The Static Analysis Results Interchange Format 2.1.0 (OASIS), as code scanning takes it. */
export function asSarif(matters: readonly Matter[]): object {
  const ids = Object.keys(RULES);
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
            rules: Object.entries(RULES).map(([id, text]) => ({
              id,
              shortDescription: { text },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: matters.map((matter) => ({
          ruleId: matter.rule,
          ruleIndex: ids.indexOf(matter.rule),
          level: matter.level,
          message: { text: saidOf(matter) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(matter.path), uriBaseId: "%SRCROOT%" },
                region: { startLine: matter.line ?? 1 },
              },
            },
          ],
          partialFingerprints: { "memory/v1": `${matter.rule}:${matter.id}:${matter.path}` },
        })),
      },
    ],
  };
}

function uriOf(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
