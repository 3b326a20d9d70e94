import type { Environment } from "../../shared/environment.ts";
import { startProgram } from "../../shared/programs.ts";

/** The program that shows an address: what the user chose, else the system's own. */
function opener(env: Environment, platform: NodeJS.Platform): readonly string[] {
  if (env.BROWSER !== undefined && env.BROWSER !== "") return [env.BROWSER];
  if (platform === "darwin") return ["open"];
  // The first quoted argument of `start` is a title.
  if (platform === "win32") return ["cmd", "/c", "start", ""];
  return ["xdg-open"];
}

/**
 * True if a program was found that shows the address. What happens to that program is not awaited.
 */
export function openBrowser(
  url: string,
  { env, platform = process.platform }: { env: Environment; platform?: NodeJS.Platform },
): Promise<boolean> {
  const [program = "", ...first] = opener(env, platform);
  return new Promise((resolve) => {
    const child = startProgram(program, [...first, url], {
      stdio: "ignore",
      detached: true,
      env: { ...env },
    });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
