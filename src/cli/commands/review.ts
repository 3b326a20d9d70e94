import type { ChangedFile, Level, ReviewFinding } from "../../ingest/review/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { escapeHidden } from "../../shared/json.ts";
import { didYouMean } from "../../shared/nearest.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { withMemory } from "../command-line.ts";
import { readStdin } from "../complete-ids.ts";
import { EXIT } from "../exit-code.ts";

const FORMATS = ["text", "json", "sarif", "github"] as const;
const FAIL_LEVELS = ["error", "warning", "note", "never"] as const;

export const review: CliCommand = {
  name: "review",
  reader: "model",
  summary: "Check a diff against decisions, preferences and mistakes",
  group: "Inspection",
  example:
    "cairn review\ncairn review main...HEAD --format github\ncairn review origin/main... --format sarif > cairn.sarif\ngit diff | cairn review -",
  configure(command) {
    command
      .argument(
        "[range]",
        "a git revision range, or - for a diff on standard input (default: HEAD)",
      )
      .option("--format <format>", "text, json, sarif or github (default: text)")
      .option("--fail-on <level>", "error, warning, note or never (default: warning)");
  },
  run: (line, [range], options) =>
    withMemory(line, options, async (memory) => {
      const { findFindings, isAtLeast } = await import("../../ingest/review/index.ts");
      const format =
        options.json === true ? "json" : requireOne("--format", options.format, FORMATS);
      const failing = requireOne("--fail-on", options.failOn ?? "warning", FAIL_LEVELS);
      const change = await loadChange(line, range);
      const findings = await findFindings(memory, change);
      await writeReview(line, format, { change, findings });
      const fails = failing !== "never" && findings.some((one) => isAtLeast(one, failing as Level));
      return fails ? EXIT.failed : EXIT.ok;
    }),
};

async function loadChange(
  line: CommandLine,
  range: string | undefined,
): Promise<readonly ChangedFile[]> {
  const { parseChangedFiles: changedFiles, readChange } = await import(
    "../../ingest/review/index.ts"
  );
  if (range === "-") return changedFiles(await readStdin(line));
  return readChange({ folder: line.cwd, range });
}

async function writeReview(
  { stdout }: CommandLine,
  format: (typeof FORMATS)[number],
  found: { readonly change: readonly ChangedFile[]; readonly findings: readonly ReviewFinding[] },
): Promise<void> {
  const {
    formatAsAnnotations: asAnnotations,
    toSarif,
    formatAsText: asText,
  } = await import("../../ingest/review/index.ts");
  const { change, findings } = found;
  switch (format) {
    case "text":
      return void stdout.write(asText(findings, change.length));
    case "json":
      return void stdout.write(
        `${escapeHidden({ files: change.map(({ path }) => path), findings })}\n`,
      );
    case "sarif":
      return void stdout.write(`${escapeHidden(toSarif(findings), 2)}\n`);
    case "github":
      return void stdout.write(asAnnotations(findings));
  }
}

function requireOne<Name extends string>(
  flag: string,
  input: unknown,
  names: readonly Name[],
): Name {
  const selected = input === undefined ? names[0] : input;
  const known = names.find((name) => name === selected);
  if (known !== undefined) return known;
  const hint = didYouMean(String(selected), names);
  throw invalidInput(`${flag}: must be ${names.join(", ")}.${hint}`);
}
