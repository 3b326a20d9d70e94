import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programsFolder } from "./programs-folder.ts";

/**
 * Gives the whole run a temporary folder of its own, also to the processes that tests start, and
 * removes it at the end: whatever a test or a killed process leaves there, the system's temporary
 * folder stays as it was. The programs that tests start are bundled once for all of it. No command starts the process that stays, but where a test says so.
 */
export default function setup(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cairn-suite-")));
  // Some tests run a program as another user, who must get through here.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.env.CAIRN_DAEMON = "off";
  const programs = programsFolder(process.pid);
  process.env.TEST_PROGRAMS = programs;
  return () => {
    for (const path of [folder, programs]) {
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    }
  };
}
