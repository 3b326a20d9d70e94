import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs a tool with its output on this terminal. Resolves to its exit code; 1 when it was ended. */
export async function runTool(
  program: string,
  args: readonly string[],
  cwd = process.cwd(),
): Promise<number> {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "close");
  return typeof code === "number" ? code : 1;
}
