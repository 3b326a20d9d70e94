import { resolve } from "node:path";
import { invalidInput } from "../../kernel/errors.ts";
import { readSessions, SESSION_FOLDERS } from "../../sources/index.ts";
import type { CommandLine } from "../command-line.ts";

/**
 * A session of an agent is no list of memories, though many are JSON lines: throws invalid_input that
 * says how one is read.
 */
export async function refuseSession(line: CommandLine, file: string | undefined): Promise<void> {
  if (file === undefined || file === "-") return;
  const place = { folder: resolve(line.cwd, file), endings: [], isOfProject: true };
  const sessions = readSessions({
    client: "claude-code",
    places: [place],
    cwd: line.cwd,
    within: undefined,
  });
  for await (const _session of sessions) {
    throw invalidInput(
      `from: ${file} is a session of an agent, not what one remembers; say --from ${Object.keys(SESSION_FOLDERS).join("|")}`,
    );
  }
}
