import { CairnError } from "../shared/errors.ts";
import { runProgram } from "../shared/programs.ts";
import { shortenLine } from "../shared/text.ts";

const TIMEOUT_MS = 60_000;

export async function keyFromCommand(command: string): Promise<string> {
  const shell = process.platform === "win32" ? ["cmd.exe", "/d", "/s", "/c"] : ["sh", "-c"];
  const [program = "sh", ...options] = shell;
  const failed = (reason: string) =>
    new CairnError("unavailable", `"apiKeyCommand" returned no key: ${reason}.`);
  const { stdout } = await runProgram(program, [...options, command], {
    timeout: TIMEOUT_MS,
  }).catch(({ stderr = "" }: { readonly stderr?: string }) => {
    throw failed(shortenLine(stderr.trim() || "it failed", 200));
  });
  const key = stdout.split(/\r?\n/, 1)[0]?.trim() ?? "";
  if (key === "") throw failed("it printed nothing");
  return key;
}
