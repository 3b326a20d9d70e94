import type { Diagnosis, MemoryEngine } from "../../memory/index.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { requireExisting, withMemory } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";
import { withProgress } from "../render/progress.ts";

export const doctor: CliCommand = {
  name: "doctor",
  reader: "person",
  summary: "Check a database for damage and repair it",
  group: "Upkeep",
  example: "cairn doctor\ncairn doctor --fix\ncairn doctor --rewrite",
  interruptible: true,
  configure(command) {
    command
      .option("--fix", "rebuild damaged derived data from the rows")
      .option("--rewrite", "rewrite all tables, so that no purged bytes remain")
      .option("--secrets", "search for stored keys and tokens instead");
  },
  run: (line, _args, options) =>
    withMemory(line, options, async (memory, app) => {
      const isOfProject = ["git", "project"].includes(app.config.database.by);
      if (isOfProject && !(await memory.isThere())) return printEmptyMemory(line, memory, options);
      await requireExisting(memory);
      if (options.secrets === true) return printSecrets(line, memory, options.json === true);
      if (options.rewrite === true) return rewrite(line, memory, options.json === true);
      const { diagnose, repair } = await import("../../memory/index.ts");
      const found = await withProgress(line, (onProgress) =>
        diagnose(memory, { signal: line.signal, onProgress }),
      );
      const isFixing = options.fix === true && !found.ok;
      const remaining = isFixing
        ? await withProgress(line, (onProgress) =>
            repair(memory, { signal: line.signal, onProgress }),
          )
        : found;
      const sandbox = await confinement(line);
      const meaning = await checkSemanticSearch(memory, line.signal);
      if (options.json === true)
        printJson(line, found, { left: isFixing ? remaining : undefined, sandbox, meaning });
      else {
        await printReport(line, found, { left: isFixing ? remaining : undefined, meaning });
        line.stdout.write(`${describeConfinement(sandbox)}\n`);
      }
      return remaining.ok && meaning.missing === undefined ? EXIT.ok : EXIT.failed;
    }),
};

async function printEmptyMemory(
  line: CommandLine,
  memory: MemoryEngine,
  { json, secrets }: Readonly<Record<string, unknown>>,
): Promise<number> {
  if (secrets === true) {
    line.stdout.write(json === true ? '{"secrets":[]}\n' : "No keys or tokens of known formats.\n");
    return EXIT.ok;
  }
  const sandbox = await confinement(line);
  const meaning = await checkSemanticSearch(memory, line.signal);
  if (json === true) {
    const nothing = { ok: true, checks: [], findings: [] };
    printJson(line, nothing, { left: undefined, sandbox, meaning });
  } else {
    const { name } = memory;
    line.stdout.write(`Nothing is stored yet: the database "${name}" does not exist.\n`);
    line.stdout.write(`${describeSemanticSearch(meaning)}\n${describeConfinement(sandbox)}\n`);
  }
  return meaning.missing === undefined ? EXIT.ok : EXIT.failed;
}

async function rewrite(line: CommandLine, memory: MemoryEngine, asJson: boolean): Promise<number> {
  await memory.finishErasing();
  await (await memory.database()).rewrite();
  const text = `Rewrote ${memory.name}: no purged bytes remain in its tables.`;
  line.stdout.write(asJson ? `${JSON.stringify({ rewritten: memory.name })}\n` : `${text}\n`);
  return EXIT.ok;
}

/** Lists the items that contain a secret and how to remove it; never prints the secret. */
async function printSecrets(
  line: CommandLine,
  memory: MemoryEngine,
  asJson: boolean,
): Promise<number> {
  const { findStoredSecrets } = await import("../../memory/index.ts");
  const database = await memory.database();
  const secrets = await database.read((tx) => findStoredSecrets(tx, line.signal));
  if (asJson) line.stdout.write(`${JSON.stringify({ secrets })}\n`);
  else if (secrets.length === 0) line.stdout.write("No keys or tokens of known formats.\n");
  else {
    for (const { id, field, kind } of secrets) line.stdout.write(`${id}  ${field}  ${kind}\n`);
    const ids = [...new Set(secrets.map(({ id }) => id))];
    const purgeable = ids.filter((id) => /^(?:ep|fact):\d+$|^c[0-9a-z]{16,}$/.test(id));
    if (purgeable.length > 0) {
      line.stdout.write(`\nTo remove them permanently: cairn purge ${purgeable.join(" ")}\n`);
    }
    if (purgeable.length < ids.length) {
      line.stdout.write(
        "\nPurging their facts and episodes also removes conflicts, entities and topics; `cairn show ID` lists them.\n",
      );
    }
  }
  return secrets.length === 0 ? EXIT.ok : EXIT.failed;
}

/** True if semantic search works. */
interface SemanticSearchState {
  readonly on: boolean;
  /** Why configured semantic search does not work, and the fix. */
  readonly missing: string | undefined;
}

async function checkSemanticSearch(
  { vectors }: MemoryEngine,
  signal: AbortSignal,
): Promise<SemanticSearchState> {
  const missing = await vectors.describeUnavailability(signal);
  return { on: vectors.enabled && missing === undefined, missing };
}

function describeSemanticSearch({ on, missing }: SemanticSearchState): string {
  if (missing !== undefined) return `Semantic search is unavailable: ${missing}`;
  return on
    ? "Semantic search is available."
    : "Semantic search is off: embedding.provider is `none`.";
}

async function confinement(line: CommandLine): Promise<string> {
  const [{ loadConfig }, { findConfinement }] = await Promise.all([
    import("../../config/index.ts"),
    import("../../agent/index.ts"),
  ]);
  const { env, cwd } = line;
  const { settings, dataDir, paths } = loadConfig({ flags: {}, env, cwd, reader: "model" });
  const { projectRoot, userConfigDir } = paths;
  return findConfinement({ settings, projectRoot, userConfigDir, dataDir, environment: env });
}

function describeConfinement(sandbox: string): string {
  return sandbox.startsWith("off")
    ? `\nThe agent's commands run without a sandbox: ${sandbox}. They require permission instead.`
    : `\nThe agent's commands run in a sandbox: ${sandbox}.`;
}

function printJson(
  line: CommandLine,
  found: Diagnosis,
  {
    left,
    sandbox,
    meaning,
  }: {
    readonly left: Diagnosis | undefined;
    readonly sandbox: string;
    readonly meaning: SemanticSearchState;
  },
): void {
  const report = left === undefined ? found : { ...left, fixed: fixedFindings(found, left) };
  line.stdout.write(`${JSON.stringify({ ...report, sandbox, meaning })}\n`);
}

async function printReport(
  line: CommandLine,
  found: Diagnosis,
  {
    left,
    meaning,
  }: { readonly left: Diagnosis | undefined; readonly meaning: SemanticSearchState },
): Promise<void> {
  const [{ alignColumns, indent, wrapText }, { detectStyle: getStyle }] = await Promise.all([
    import("../render/lay-out.ts"),
    import("../render/style.ts"),
  ]);
  const style = getStyle(line);
  const { green, red, dim, bold } = style.colors;
  const write = (text: string) => line.stdout.write(`${text}\n`);
  const rows = found.checks.map(({ name, about, ok }) => [
    ok ? green("✓") : red("✗"),
    bold(name),
    dim(about),
  ]);
  for (const row of alignColumns(rows, style.columns)) write(row);
  const fixed = left === undefined ? [] : fixedFindings(found, left);
  const printFindings = (title: string, findings: Diagnosis["findings"]) => {
    if (findings.length === 0) return;
    write(`\n${bold(title)}`);
    for (const { check, problem, count, examples } of findings) {
      const text = `${check}: ${problem} (${count}${examples.length > 0 ? `: ${examples.join(", ")}` : ""})`;
      for (const row of indent(wrapText(text, style.columns - 2), 2)) write(row);
    }
  };
  printFindings("Mended:", fixed);
  const rest = (left ?? found).findings;
  printFindings(
    "`cairn doctor --fix` repairs:",
    rest.filter(({ fixable }) => fixable),
  );
  printFindings(
    "Cannot be repaired automatically; restore a backup or fix manually:",
    rest.filter(({ fixable }) => !fixable),
  );
  write(`\n${describeSemanticSearch(meaning)}`);
  if (rest.length > 0 || meaning.missing !== undefined) return;
  write(fixed.length === 0 ? "\nNo problems found." : "\nAll problems are repaired.");
}

function fixedFindings(found: Diagnosis, remaining: Diagnosis): Diagnosis["findings"] {
  return found.findings.filter(
    ({ check, problem }) =>
      !remaining.findings.some((other) => other.check === check && other.problem === problem),
  );
}
