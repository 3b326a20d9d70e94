import type { AuditEntry } from "../../agent/index.ts";
import { parseInteger } from "../../shared/parse-field.ts";
import { showControl } from "../../shared/text.ts";
import { sumOf } from "../audit/sum-of.ts";
import type { CliCommand } from "../cli-command.ts";
import { projectRootOf } from "../project-root.ts";

const SHOWN = 50;

export const audit: CliCommand = {
  name: "audit",
  reader: "person",
  summary: "Show what the agent did here, and check that nobody changed it",
  group: "Agent",
  example: "cairn audit\ncairn audit --last 200 --thread 3f2a\ncairn audit --check",
  configure(command) {
    command
      .option("--last <n>", `how many entries are shown (default: ${SHOWN})`)
      .option("--thread <id>", "those of one session alone; the beginning of its id is enough")
      .option("--check", "only whether the chain holds, and where it first does not; exit code 1");
  },
  async run(line, _args, options) {
    const [{ loadConfig }, { auditPlace, readAudit }] = await Promise.all([
      import("../../config/index.ts"),
      import("../../agent/index.ts"),
    ]);
    const { env, cwd, reader } = line;
    const place = {
      flags: { dataDir: options.dataDir },
      env,
      cwd: projectRootOf(cwd, env),
      reader,
    };
    const config = loadConfig(place);
    const { dataDir, paths } = config;
    const most =
      typeof options.last === "string" ? parseInteger(options.last, "--last") : undefined;
    const log = await readAudit(auditPlace(dataDir, paths.userConfigDir, paths.projectRoot));
    const { entries, problem, brokenAt, notice } = log;
    const thread = typeof options.thread === "string" ? options.thread : "";
    const last = most ?? SHOWN;
    const isOf = ({ threadId, tool }: AuditEntry) =>
      threadId.startsWith(thread) || (tool === "log" && thread === "");
    const shown = options.check === true ? [] : entries.filter(isOf).slice(-Math.max(1, last));
    if (options.json === true) {
      const answer = {
        holds: problem === undefined,
        count: entries.length,
        problem: problem ?? null,
        brokenAt: brokenAt ?? null,
        notice: notice ?? null,
        ...(options.check !== true && { entries: shown }),
      };
      line.stdout.write(`${JSON.stringify(answer)}\n`);
    } else {
      for (const entry of shown) line.stdout.write(`${lineOf(entry)}\n`);
      line.stdout.write(`${sumOf(entries.length, problem)}\n`);
      if (notice !== undefined) line.stdout.write(`${notice}\n`);
    }
    return problem === undefined ? 0 : 1;
  },
};

function lineOf({ at, threadId, tool, subject, outcome, reason, network, keys, by }: AuditEntry) {
  const given = [...(network ? ["network"] : []), ...(keys ? ["keys"] : [])].join(", ");
  const why = reason === "" ? "" : ` (${reason})`;
  const who = by === undefined ? "" : ` by ${by}`;
  const text = `${at} ${threadId.slice(0, 8)} ${outcome}${who}${given === "" ? "" : ` with ${given}`}: ${tool} ${subject}${why}`;
  return showControl(text.replaceAll("\n", "⏎"));
}
