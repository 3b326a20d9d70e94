import { execFile } from "node:child_process";
import { CairnError } from "../shared/errors.ts";
import { shortenLine } from "../shared/text.ts";

/** A password manager may ask its person to unlock it. */
const TIMEOUT_MS = 60_000;

/** The first line that the command prints. Throws unavailable, without what was printed. */
export function keyFromCommand(command: string): Promise<string> {
  const shell = process.platform === "win32" ? ["cmd.exe", "/d", "/s", "/c"] : ["sh", "-c"];
  const [program = "sh", ...options] = shell;
  return new Promise((resolve, reject) => {
    execFile(program, [...options, command], { timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      const key = stdout.split(/\r?\n/, 1)[0]?.trim() ?? "";
      if (error === null && key !== "") return resolve(key);
      const why =
        error === null ? "it printed nothing" : shortenLine(stderr.trim() || "it failed", 200);
      reject(new CairnError("unavailable", `"apiKeyCommand" gave no key: ${why}.`));
    });
  });
}
