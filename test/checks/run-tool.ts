import { spawn } from "node:child_process";
import { once } from "node:events";

export async function runTool(
  program: string,
  args: readonly string[],
  cwd = process.cwd(),
): Promise<number> {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "close");
  return typeof code === "number" ? code : 1;
}
