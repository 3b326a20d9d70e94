import { invalidInput } from "../shared/errors.ts";

/**
 * Names of commands before 0.2.0, reported for one version. A list of words is the present name of the
 * same command, which then runs; a text says what replaces a command that is gone.
 */
const OLD_NAMES: Readonly<Record<string, readonly string[] | string>> = {
  episodes: ["list", "episodes"],
  concepts: ["list", "concepts"],
  entities: ["list", "entities"],
  topics: ["list", "topics"],
  labels: ["list", "labels"],
  deleted: ["list", "deleted"],
  sources: ["list", "sources"],
  recalls: ["list", "recalls"],
  mistakes: ["list", "mistakes"],
  conflicts: ["list", "conflicts"],
  proposals: ["list", "proposals"],
  inbox: ["list", "proposals"],
  imported: ["list", "imported"],
  items: ["list", "items"],
  "episode-types": ["list", "types"],
  "pending-batches": ["list", "pending"],
  databases: ["list", "databases"],
  fact: ["show"],
  "concept-show": ["show"],
  "cluster-timeline": ["show"],
  source: ["show"],
  passage: ["show"],
  history: ["log"],
  changes: ["log"],
  "graph-neighbourhood": ["graph"],
  "concept-graph": ["graph"],
  "update-episode": ["episode", "update"],
  "update-concept": ["concept", "update"],
  link: ["concept", "link"],
  unlink: ["concept", "unlink"],
  evidence: ["concept", "evidence"],
  reshape: ["concept", "reshape"],
  merge: ["concept", "merge"],
  split: ["concept", "split"],
  "topic-create": ["topic", "create"],
  "topic-update": ["topic", "update"],
  "topic-delete": ["topic", "delete"],
  "set-topic": ["topic", "set"],
  "entity-relation": ["entity", "relate"],
  migrate: ["db", "migrate"],
  open: ["ui"],
  "entity-episodes": "cairn list episodes --entity <type:name>",
  "entity-concepts": "cairn list concepts --entity <type:name>",
  "entity-facts": "cairn list facts --entity <type:name>",
  "entity-graph": "cairn graph <type:name>",
  inspect: "cairn list concepts, cairn list episodes --since <date>, or cairn show <id>",
  suggest: "shell completion (cairn completion), or GET /suggest over REST",
  timeline: "cairn stats, or GET /timeline over REST",
  "change-matching":
    "cairn list episodes <filters> --format '{id}' piped to cairn label, delete or processed",
  pair: "a token of scope `approve` (cairn token create) and the page (cairn ui)",
  digest: "cairn list proposals and cairn list conflicts",
  recap: "cairn log --since yesterday",
  "recall-use": "cairn list recalls",
  contradictions: "cairn list conflicts",
  "close-replaced": "cairn supersede <old> <new>",
  tidy: "cairn concept merge",
  copy: "cairn worktree list|show|merge|discard",
  erase: "cairn purge --by <author> or cairn purge --entity <type:name>",
  retain: "the setting `retention`, for example 90d",
  "file-passages": "cairn why <file>:<line>, or cairn recall <file>",
};

export interface CurrentName {
  readonly words: readonly string[];
  readonly notice: string;
}

/**
 * Replaces an old name in front of the words. Undefined: the first word is not an old name.
 * Throws invalid_input with the replacement for a command that is gone.
 */
export function currentName([word = "", ...rest]: readonly string[]): CurrentName | undefined {
  const now = Object.hasOwn(OLD_NAMES, word) ? OLD_NAMES[word] : undefined;
  if (now === undefined) return undefined;
  if (typeof now === "string") {
    throw invalidInput(`\`cairn ${word}\` was removed in 0.2.0. Use instead: ${now}`);
  }
  const name = now.join(" ");
  return {
    words: [...now, ...rest],
    notice: `\`cairn ${word}\` is now \`cairn ${name}\`; the old name will be removed in the next version.`,
  };
}
