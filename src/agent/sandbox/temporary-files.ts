import { mkdirSync } from "node:fs";
import { join } from "node:path";

export function temporaryFor(scope: string, folder: string): string {
  const name = scope.replace(/[^A-Za-z0-9]/g, "_");
  const place = join(folder, name === "" ? "commands" : `of-${name}`);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  return place;
}

/** The library's own temporary folder would be empty for each command. */
export function withTemporary(
  wrapped: string,
  { shared, place }: { readonly shared: string; readonly place: string },
): string {
  const end = wrapped.indexOf(" -- ");
  const empty = ` --tmpfs ${shared} `;
  const at = wrapped.indexOf(empty);
  if (at === -1 || end === -1 || at > end) return wrapped;
  const mount = ` --bind ${place} ${shared} `;
  return wrapped.slice(0, at) + mount + wrapped.slice(at + empty.length);
}
