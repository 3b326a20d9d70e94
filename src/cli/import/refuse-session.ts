import { resolve } from "node:path";
import { readSessions, SESSION_FOLDERS } from "../../ingest/sources/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { CommandLine } from "../command-line.ts";

/**
 * Throws invalid_input that says how to read sessions, if the file is a session of an agent: it is
 * no list of memories, though it may be JSON lines.
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
