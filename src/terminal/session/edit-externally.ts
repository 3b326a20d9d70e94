import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../shared/environment.ts";
import { CairnError } from "../../shared/errors.ts";
import { runProgramSync } from "../../shared/programs.ts";

/**
 * Edits text in `$VISUAL` or `$EDITOR`; strips the trailing newline. Throws unavailable if the
 * editor cannot run or fails.
 */
export function editExternally(text: string, env: Environment): string {
  const editor = env.VISUAL || env.EDITOR || "vi";
  const folder = mkdtempSync(join(tmpdir(), "cairn-message-"));
  const file = join(folder, "message.md");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const { status, error } = runProgramSync("sh", ["-c", `${editor} "$1"`, "sh", file], {
      stdio: "inherit",
      env,
    });
    if (error !== undefined || status !== 0) {
      const reason = error?.message ?? `it ended with ${status}`;
      throw new CairnError("unavailable", `${editor} failed ($EDITOR): ${reason}.`);
    }
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
