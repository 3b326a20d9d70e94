import { isPlainObject } from "./json.ts";
import { stripControlLine, truncateText } from "./text.ts";

const DESCRIPTIVE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  read: ["path"],
  skim: ["path", "start_line", "end_line"],
  filegrep: ["pattern", "path"],
  write: ["path"],
  edit: ["path"],
  shell: ["command"],
  shell_status: ["action", "id"],
  subagent: ["id", "prompt"],
  ask_user: ["question"],
  todo: [],
  glob: ["pattern", "path"],
  grep: ["pattern", "path"],
  remember: ["content"],
  recall: ["query", "entity"],
  memory_snapshot: ["scopes"],
  memory_apply: ["changeset"],
};
/** Longer arguments do not fit on screen. */
const MAX_CHARACTERS = 400;

export function describeCall(name: string, args: unknown): string {
  const description = isPlainObject(args)
    ? describeFields(args, DESCRIPTIVE_FIELDS[name])
    : String(args ?? "");
  return stripControlLine(description.slice(0, MAX_CHARACTERS));
}

function describeFields(
  args: Record<string, unknown>,
  fields: readonly string[] = Object.keys(args),
): string {
  return fields
    .map((field) => args[field])
    .filter((value) => value !== undefined && value !== null && value !== "")
    .map((value) =>
      truncateText(
        typeof value === "string" ? value : (JSON.stringify(value) ?? ""),
        MAX_CHARACTERS,
      ),
    )
    .join(" ");
}
