import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programsFolder } from "./programs-folder.ts";

/**
 * Sets a temporary folder for the whole run, including child processes, and removes it at the end.
 * Also provides the folder of bundled programs, and disables the daemon except in tests that
 * enable it.
 */
export default function setup(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cairn-suite-")));
  // Tests that run programs as another user need access to this folder.
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
