import type { ExecuteOptions } from "../context/execute-options.ts";
import type { Memory } from "../memory.ts";
import type { ScopeName, SectionOf } from "../snapshot/registry.ts";
import { throwIfFailed } from "../snapshot/section-error.ts";

/** Reads one section, such as `pending` or `recent:5`. Throws the section's error. */
export async function readScope<Name extends ScopeName>(
  memory: Memory,
  scope: Name | `${Name}:${string}`,
  options?: ExecuteOptions,
): Promise<SectionOf<Name>> {
  const sections = await memory.execute("snapshot", { scopes: [scope] }, options);
  const section = sections[scope];
  if (section === undefined) throw new Error(`The snapshot lacks its section ${scope}.`);
  throwIfFailed(section);
  return section as SectionOf<Name>;
}
