import { isAbsolute, relative, sep } from "node:path";

/** True if `path` is `folder` or inside it. Does not resolve links. */
export function isInside(folder: string, path: string): boolean {
  const method = relative(folder, path);
  return (
    method === "" || (method !== ".." && !method.startsWith(`..${sep}`) && !isAbsolute(method))
  );
}
