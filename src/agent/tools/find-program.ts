import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** Absolute path of an installed program. */
export async function findProgram(
  name: string,
  pathVariable: string | undefined,
): Promise<string | undefined> {
  for (const folder of (pathVariable ?? "").split(delimiter)) {
    if (folder === "") continue;
    const path = join(folder, name);
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return path;
  }
  return undefined;
}
