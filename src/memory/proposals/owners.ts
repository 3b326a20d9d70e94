import { allows, type Caller } from "../../shared/caller.ts";
import { CairnError } from "../../shared/errors.ts";
import { escapePattern } from "../../shared/text.ts";
import { topicSlug } from "../topics/topic-slug.ts";

/** What of a proposal says whose it is. */
export interface Owned {
  readonly episode_type: string;
  /** `type:name` */
  readonly entities: readonly string[];
  /** Id of a topic. */
  readonly topic_id: string | null;
  /** `key=value` */
  readonly labels: readonly string[];
}

/**
 * Who decides about a proposal, by lines as CODEOWNERS has them: a pattern, then names of tokens. A
 * pattern is `*`, `type:decision`, `topic:payments`, `label:area` or `label:area=pay`, `entity:tool:npm`, or a path such as
 * `src/pay/**`, which files are held against. The last line that fits counts. Empty: whoever may decide.
 */
export function ownersOf(it: Owned, lines: readonly string[]): readonly string[] {
  let owners: readonly string[] = [];
  for (const line of lines) {
    const [pattern = "", ...names] = line.split(/\s+/).filter((word) => word !== "");
    if (pattern === "" || pattern.startsWith("#")) continue;
    if (fits(it, pattern)) owners = names.map((name) => name.replace(/^@/, ""));
  }
  return owners;
}

function fits(it: Owned, pattern: string): boolean {
  const { episode_type: type, topic_id: topic, entities, labels } = it;
  if (pattern === "*") return true;
  const [, kind, value = ""] = /^(type|topic|label|entity):(.+)$/.exec(pattern) ?? [];
  if (kind === "type") return type === value;
  if (kind === "topic") return topic === topicSlug(value);
  if (kind === "label") return labels.some((one) => one === value || one.startsWith(`${value}=`));
  if (kind === "entity") return entities.some((one) => one.toLowerCase() === value.toLowerCase());
  const path = pathPattern(pattern);
  return entities.some((one) => one.startsWith("file:") && path.test(one.slice("file:".length)));
}

/** As git reads it: without a slash in it at any depth, a folder with all that is in it. */
function pathPattern(pattern: string): RegExp {
  const isAnywhere = !pattern.replace(/\/$/, "").includes("/");
  const body = pattern
    .replace(/^\//, "")
    .replace(/\/$/, "")
    .split(/(\*\*\/|\*\*|\*)/)
    .map((part) => WILD[part] ?? escapePattern(part))
    .join("");
  return new RegExp(`^${isAnywhere ? "(?:.*/)?" : ""}${body}(?:/.*)?$`);
}

const WILD: Readonly<Record<string, string>> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*" };

/** Throws forbidden where others than the caller decide about it. Who may do all may do this, too. */
export function requireOwner(
  it: Owned,
  lines: readonly string[],
  {
    caller,
    database,
    field,
  }: { readonly caller: Caller; readonly database: string; readonly field: string },
): void {
  if (caller.name === undefined || allows(caller, "admin", database)) return;
  const owners = ownersOf(it, lines);
  if (owners.length === 0 || owners.includes(caller.name)) return;
  throw new CairnError(
    "forbidden",
    `${field}: ${owners.join(", ")} decides about it (deciding.owners), and the token is that of ${caller.name}. Ask one of them, or an admin.`,
  );
}
