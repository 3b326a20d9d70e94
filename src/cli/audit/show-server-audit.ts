import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ServerEntry } from "../../audit/index.ts";
import type { LoadedConfig } from "../../config/index.ts";
import { invalidInput, notFound } from "../../shared/errors.ts";
import { showControl } from "../../shared/text.ts";
import { parseTimestamp } from "../../shared/time.ts";
import type { CommandLine } from "../command-line.ts";
import { oneOf } from "./one-of.ts";
import { sumOf } from "./sum-of.ts";

type Options = Readonly<Record<string, unknown>>;

/** Shows, filters and checks what a server noted of its callers. Resolves to the exit code. */
export async function showServerAudit(
  line: CommandLine,
  config: LoadedConfig,
  options: Options,
  last: number | undefined,
): Promise<number> {
  const [{ serverAudit }, { readChain }] = await Promise.all([
    import("../../audit/index.ts"),
    import("../../shared/chained-log/read-chain.ts"),
  ]);
  const place = await placeOf(line, config, options);
  const isWanted = await filterOf(options);
  const isCheck = options.check === true;
  const isJson = options.json === true;
  const kept: ServerEntry[] = [];
  const show = (entry: ServerEntry) =>
    line.stdout.write(isJson ? `${JSON.stringify(entry)}\n` : `${lineOf(entry)}\n`);
  const checked = await readChain(place, serverAudit, (entry) => {
    if (isCheck || !isWanted(entry)) return;
    // Without a bound nothing is held: an export may be larger than the memory of this machine.
    if (last === undefined) return void show(entry);
    kept.push(entry);
    if (kept.length > last) kept.shift();
  });
  for (const entry of kept) show(entry);
  const { count, problem, brokenAt, notice } = checked;
  if (isJson && isCheck) {
    const answer = { holds: problem === undefined, count, problem: problem ?? null };
    const rest = { brokenAt: brokenAt ?? null, notice: notice ?? null };
    line.stdout.write(`${JSON.stringify({ ...answer, ...rest })}\n`);
  } else {
    // Lines of JSON are the export; how it stands with the chain is no line of it.
    const out = isJson ? line.stderr : line.stdout;
    out.write(`${sumOf(count, problem)}\n`);
    if (notice !== undefined) out.write(`${notice}\n`);
  }
  return problem === undefined ? 0 : 1;
}

async function placeOf({ cwd }: CommandLine, { settings, paths }: LoadedConfig, options: Options) {
  const { serverAuditPlace } = await import("../../audit/index.ts");
  const own = serverAuditPlace(settings.audit, paths);
  if (typeof options.file !== "string") {
    if (own !== undefined) return own;
    throw invalidInput(
      "No server notes its callers here: the setting audit.file says where. Name a file with --file.",
    );
  }
  const file = resolve(cwd, options.file);
  if (!existsSync(file)) throw notFound(`There is no file ${file}.`);
  return file === own?.file
    ? own
    : (serverAuditPlace({ file, head: undefined }, paths) ?? { file, secondHead: "" });
}

async function filterOf(options: Options): Promise<(entry: ServerEntry) => boolean> {
  const { AUDIT_OUTCOMES, WAYS_IN } = await import("../../audit/index.ts");
  const text = (name: string) => {
    const value = options[name];
    return typeof value === "string" ? value : undefined;
  };
  const outcome = oneOf("--outcome", text("outcome"), AUDIT_OUTCOMES);
  const from = oneOf("--from", text("from"), WAYS_IN);
  const [caller, operation, database] = [text("caller"), text("operation"), text("in")];
  const since = momentOf("--since", text("since"), "start");
  const until = momentOf("--until", text("until"), "end");
  return (entry) =>
    (outcome === undefined || entry.outcome === outcome) &&
    (from === undefined || entry.from === from) &&
    (caller === undefined || entry.caller === caller) &&
    (operation === undefined || entry.operation === operation) &&
    (database === undefined || entry.database === database) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at <= until);
}

function momentOf(flag: string, text: string | undefined, end: "start" | "end") {
  if (text === undefined) return undefined;
  try {
    return parseTimestamp(text, end);
  } catch (error) {
    throw invalidInput(`${flag}: ${error instanceof Error ? error.message : "must be a date."}`);
  }
}

function lineOf(entry: ServerEntry): string {
  const { at, from, outcome, status, route, operation, database, ids = [], change, text } = entry;
  if (from === "log") return showControl(`${at} ${outcome}: ${text ?? ""}`);
  const who = entry.caller ?? (entry.by === "server" ? "the server's own" : "nobody known");
  const where = database === undefined ? "" : ` in ${database}`;
  const items = ids.length === 0 ? "" : ` ${ids.join(" ")}`;
  const made = change === undefined ? "" : ` (${change})`;
  const what = operation ?? route ?? "";
  return showControl(
    `${at} ${from} ${outcome} ${status ?? ""} ${who}: ${what}${where}${items}${made}`,
  );
}
