import type { Environment } from "../../shared/environment.ts";
import { startProgram } from "../../shared/programs.ts";

/** The configured browser, or the system's default. */
function findOpener(env: Environment, platform: NodeJS.Platform): readonly string[] {
  if (env.BROWSER !== undefined && env.BROWSER !== "") return [env.BROWSER];
  if (platform === "darwin") return ["open"];
  // The first quoted argument of `start` is a title.
  if (platform === "win32") return ["cmd", "/c", "start", ""];
  return ["xdg-open"];
}

/** Returns true if a browser was found, without waiting for it. */
export function openBrowser(
  url: string,
  { env, platform = process.platform }: { env: Environment; platform?: NodeJS.Platform },
): Promise<boolean> {
  const [program = "", ...first] = findOpener(env, platform);
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
