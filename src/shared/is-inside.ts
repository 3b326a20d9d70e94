import { isAbsolute, relative, sep } from "node:path";

/** True if `path` is `folder` or inside it. Does not resolve links. */
export function isInside(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  return (
    relativePath === "" ||
    (relativePath !== ".." && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath))
  );
}
