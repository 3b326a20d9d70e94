import type { AuditEntry } from "../../agent/index.ts";
import { parseInteger } from "../../shared/parse-field.ts";
import { showControl } from "../../shared/text.ts";
import type { CliCommand } from "../cli-command.ts";
import { findProjectRoot } from "../project-root.ts";

const DEFAULT_ENTRIES = 50;

export const audit: CliCommand = {
  name: "audit",
  reader: "person",
  summary: "Show what the agent did in this project",
  group: "Agent",
  example: "cairn audit\ncairn audit --last 200 --thread 3f2a",
  configure(command) {
    command
      .option("--last <n>", `number of entries (default: ${DEFAULT_ENTRIES})`)
      .option("--thread <id>", "only this session; a prefix of its id is enough");
  },
  async run(line, _args, options) {
    const [{ loadConfig }, { auditFile, readAudit }] = await Promise.all([
      import("../../config/index.ts"),
      import("../../agent/index.ts"),
    ]);
    const { env, cwd, reader } = line;
    const flags = { dataDir: options.dataDir };
    const { dataDir, paths } = loadConfig({ flags, env, cwd: findProjectRoot(cwd, env), reader });
    const last =
      typeof options.last === "string" ? parseInteger(options.last, "--last") : DEFAULT_ENTRIES;
    const thread = typeof options.thread === "string" ? options.thread : "";
    const { entries, skipped } = await readAudit(auditFile(dataDir, paths.projectRoot));
    const selected = entries
      .filter(({ threadId }) => threadId.startsWith(thread))
      .slice(-Math.max(1, last));
    if (options.json === true) {
      line.stdout.write(
        `${JSON.stringify({ count: entries.length, skipped, entries: selected })}\n`,
      );
      return 0;
    }
    for (const entry of selected) line.stdout.write(`${formatEntry(entry)}\n`);
    const damaged = skipped === 0 ? "" : `; ${skipped} damaged lines skipped`;
    line.stdout.write(`${selected.length} of ${entries.length} entries${damaged}\n`);
    return 0;
  },
};

function formatEntry({
  at,
  threadId,
  tool,
  subject,
  outcome,
  reason,
  network,
  keys,
  by,
}: AuditEntry) {
  const granted = [...(network ? ["network"] : []), ...(keys ? ["credentials"] : [])].join(", ");
  const reasonText = reason === "" ? "" : ` (${reason})`;
  const authorText = by === undefined ? "" : ` by ${by}`;
  const text = `${at} ${threadId.slice(0, 8)} ${outcome}${authorText}${granted === "" ? "" : ` with ${granted}`}: ${tool} ${subject}${reasonText}`;
  return showControl(text.replaceAll("\n", "⏎"));
}
