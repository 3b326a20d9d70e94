import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

const EXPLORATION_TOOLS = ["rg", "fd", "ast-grep", "tree"] as const;

export async function findExplorationTools(
  pathVariable: string | undefined,
): Promise<readonly string[]> {
  const folders = (pathVariable ?? "").split(delimiter).filter((folder) => folder !== "");
  const found = await Promise.all(
    EXPLORATION_TOOLS.map(async (tool) => ((await isInstalled(tool, folders)) ? tool : undefined)),
  );
  return found.filter((tool) => tool !== undefined);
}

async function isInstalled(tool: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const executable = await access(join(folder, tool), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (executable) return true;
  }
  return false;
}
