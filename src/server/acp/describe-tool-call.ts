import { isAbsolute, join } from "node:path";
import type { ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk/unstable";
import { isPlainObject } from "../../shared/json.ts";
import { stripControlLine } from "../../shared/text.ts";

const MAX_TITLE = 200;

/** What an editor's symbol for a call says; a tool that is not listed is `other`. */
const KINDS: Readonly<Record<string, ToolKind>> = {
  read: "read",
  skim: "read",
  filegrep: "search",
  glob: "search",
  grep: "search",
  recall: "search",
  memory_snapshot: "read",
  write: "edit",
  edit: "edit",
  shell: "execute",
  shell_status: "execute",
  subagent: "think",
  web_fetch: "fetch",
  web_search: "search",
};

export interface DescribedCall {
  readonly title: string;
  readonly kind: ToolKind;
  readonly locations: ToolCallLocation[];
}

/** A call as an editor shows it. */
export function describeToolCall(name: string, args: unknown, cwd: string): DescribedCall {
  const fields = isPlainObject(args) ? args : {};
  const told = ["command", "path", "pattern", "query", "url", "content", "id"]
    .map((field) => fields[field])
    .find((value) => typeof value === "string" && value !== "");
  const title = stripControlLine(
    `${name} ${String(told ?? "").split("\n", 1)[0]}`.slice(0, MAX_TITLE),
  );
  const line = typeof fields.offset === "number" ? fields.offset : fields.start_line;
  const locations =
    typeof fields.path === "string"
      ? [
          {
            path: absolutePath(fields.path, cwd),
            ...(typeof line === "number" && Number.isInteger(line) && line > 0 && { line }),
          },
        ]
      : [];
  return { title: title.trim(), kind: KINDS[name] ?? "other", locations };
}

export function absolutePath(path: string, cwd: string): string {
  return isAbsolute(path) ? path : join(cwd, path);
}
