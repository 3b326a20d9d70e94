import type { SessionSummary } from "../../agent/index.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { findProjectRoot } from "../project-root.ts";

export const sessions: CliCommand = {
  name: "sessions",
  reader: "person",
  summary: "List the agent's sessions of this project",
  group: "Agent",
  example: "cairn sessions\ncairn --resume 3f2a",
  async run(line, _args, options) {
    const found = await listProjectSessions(line, options.dataDir);
    if (options.json === true) {
      line.stdout.write(`${JSON.stringify({ sessions: found.map(toJson) })}\n`);
      return undefined;
    }
    if (found.length === 0) {
      line.stdout.write("There are no sessions in this project yet; `cairn` starts one.\n");
      return undefined;
    }
    const [{ alignColumns }, { detectStyle: getStyle }, { showAge, toInline: inLine }] =
      await Promise.all([
        import("../render/lay-out.ts"),
        import("../render/style.ts"),
        import("../render/show-value.ts"),
      ]);
    const style = getStyle(line);
    const { bold, cyan, dim } = style.colors;
    const rows = found.map(({ threadId, title, messageCount, updatedAt }) => [
      cyan(threadId),
      dim(showAge(updatedAt, style)),
      dim(messageCount === 1 ? "1 message" : `${messageCount} messages`),
      bold(inLine(title)),
    ]);
    const table = alignColumns(rows, style.columns);
    table.push(dim("cairn --resume ID resumes one; a prefix of the id is enough."));
    line.stdout.write(`${table.join("\n")}\n`);
    return undefined;
  },
};

async function listProjectSessions(
  { env, cwd, logger, reader }: CommandLine,
  dataDir: unknown,
): Promise<readonly SessionSummary[]> {
  const [{ loadConfig }, { listSessions }] = await Promise.all([
    import("../../config/index.ts"),
    import("../../agent/index.ts"),
  ]);
  const context = { flags: { dataDir }, env, cwd: findProjectRoot(cwd, env), reader };
  const config = loadConfig(context);
  return listSessions({
    dataDir: config.dataDir,
    projectRoot: config.paths.projectRoot,
    logger,
  });
}

function toJson({ threadId, title, messageCount, createdAt, updatedAt, parent }: SessionSummary) {
  return {
    id: threadId,
    title: title ?? null,
    messages: messageCount,
    created_at: createdAt,
    updated_at: updatedAt,
    parent: parent ?? null,
  };
}
