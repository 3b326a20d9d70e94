import type { QuickLine } from "../command-line.ts";
import { FILTER_OPTIONS } from "../filter-options.ts";
import type { CompletedValue } from "./completed-value.ts";

type ValueSource =
  /** Completes by `suggest` kinds; for lists, the entry after the last comma. */
  | { readonly suggest: string; readonly isList?: boolean }
  | { readonly words: readonly string[] }
  | { readonly databases: true }
  | { readonly importers: true };

const ID_KINDS = "episode,fact,concept,entity,conflict";
const EPISODE_SOURCE: ValueSource = { suggest: "episode" };
const ENTITY_SOURCE: ValueSource = { suggest: "entity", isList: true };
const AUTHOR_SOURCE: ValueSource = { suggest: "author" };
const FACT_SOURCE: ValueSource = { suggest: "fact" };
const CONCEPT_SOURCE: ValueSource = { suggest: "concept" };
const ITEM_SOURCE: ValueSource = { suggest: "episode,concept", isList: true };

const FILTER_VALUES: Readonly<Record<string, ValueSource>> = Object.fromEntries(
  FILTER_OPTIONS.flatMap(({ flags, isList, suggests: suggest }) =>
    suggest === undefined ? [] : flags.map((flag) => [flag, { suggest, isList }]),
  ),
);

/** Value sources by long or short option name. */
const OPTION_VALUES: Readonly<Record<string, ValueSource>> = {
  "--db": { databases: true },
  "-d": { databases: true },
  "--episode-type": { suggest: "type" },
  "-t": { suggest: "type" },
  ...FILTER_VALUES,
  "--entities": ENTITY_SOURCE,
  "--asserted-by": AUTHOR_SOURCE,
  "--author": AUTHOR_SOURCE,
  "--from": { importers: true },
  "--kinds": { words: ["episode", "fact", "concept", "entity"] },
  "--has": { words: ["conflict", "collision", "source"] },
  "--sort": { words: ["newest", "oldest", "updated", "best"] },
  "--format": {
    words: ["jsonl", "markdown", "claude-md", "tree", "svg", "dot", "mermaid", "html"],
  },
  "--bucket": { words: ["day", "week", "month", "year"] },
  "--since": { words: ["1d", "7d", "today", "yesterday", "last-week"] },
  "--color": { words: ["auto", "always", "never"] },
  "--severity": { words: ["low", "medium", "high"] },
};

/** Value sources by command and argument; the last one repeats. */
const ARGUMENT_VALUES: Readonly<Record<string, readonly ValueSource[]>> = {
  accept: [{ suggest: "proposal" }],
  reject: [{ suggest: "proposal" }],
  show: [{ suggest: `${ID_KINDS},topic` }],
  log: [{ suggest: ID_KINDS }],
  edit: [{ suggest: "episode,concept" }],
  delete: [{ suggest: "episode,concept" }],
  rm: [{ suggest: "episode,concept" }],
  purge: [{ suggest: ID_KINDS }],
  label: [{ suggest: "episode,concept" }],
  unlabel: [{ suggest: "episode,concept" }],
  update: [{ suggest: "episode,concept" }],
  "episode update": [EPISODE_SOURCE],
  processed: [ITEM_SOURCE],
  graph: [{ suggest: ID_KINDS }],
  "topic update": [{ suggest: "topic" }],
  "topic delete": [{ suggest: "topic" }],
  supersede: [FACT_SOURCE],
  conflict: [FACT_SOURCE],
  resolve: [{ suggest: "conflict" }, FACT_SOURCE],
  dismiss: [{ suggest: "conflict" }],
  "concept link": [CONCEPT_SOURCE],
  "concept split": [CONCEPT_SOURCE],
  "concept merge": [CONCEPT_SOURCE],
  "why-not": [{ suggest: "episode,fact,concept" }],
  completion: [{ words: ["bash", "zsh", "fish"] }],
  db: [
    {
      words: "list create rename copy delete bin restore backup diff merge".split(" "),
    },
    { databases: true },
  ],
};

const MAX_ITEMS = 50;
const GLOBAL_OPTIONS_WITH_VALUE: readonly string[] = [
  "--db",
  "-d",
  "--data-dir",
  "--database",
  "--color",
];

/**
 * Completes option values and arguments from the selected database. The scripts complete commands
 * and options.
 */
export async function completeValues(line: QuickLine, text: string): Promise<CompletedValue[]> {
  const { words, current } = splitLine(text);
  const request = completionRequest(words, current);
  if (request === undefined) return [];
  const { source, prefix } = request;
  const listPrefix = "suggest" in source && source.isList === true ? completeListItem(prefix) : "";
  const found = await findValues(line, source, {
    prefix: prefix.slice(listPrefix.length),
    db: findOption(words, ["--db", "-d"]),
    dataDir: findOption(words, ["--data-dir"]),
    database: findOption(words, ["--database"]),
  });
  const lead = current.slice(0, current.length - prefix.length);
  return found.map(({ value, detail }) => ({ value: `${lead}${listPrefix}${value}`, detail }));
}

interface CompletionSource {
  readonly source: ValueSource;
  readonly prefix: string;
}

function completionRequest(
  words: readonly string[],
  current: string,
): CompletionSource | undefined {
  const [, flag, value] = /^(--[a-z-]+)=(.*)$/s.exec(current) ?? [];
  if (flag !== undefined) return addSource(OPTION_VALUES[flag], value ?? "");
  if (current.startsWith("-")) return undefined;
  const last = words.at(-1) ?? "";
  if (Object.hasOwn(OPTION_VALUES, last)) return addSource(OPTION_VALUES[last], current);
  const named = parseArguments(words);
  const length = [2, 1].find(
    (count) =>
      count <= named.length && Object.hasOwn(ARGUMENT_VALUES, named.slice(0, count).join(" ")),
  );
  if (length === undefined) return undefined;
  const sources = ARGUMENT_VALUES[named.slice(0, length).join(" ")] ?? [];
  return addSource(sources[Math.min(named.length - length, sources.length - 1)], current);
}

function addSource(source: ValueSource | undefined, prefix: string): CompletionSource | undefined {
  return source === undefined ? undefined : { source, prefix };
}

function parseArguments(words: readonly string[]): string[] {
  return words.filter((word, index) => {
    if (word.startsWith("-")) return false;
    const before = words[index - 1] ?? "";
    return !Object.hasOwn(OPTION_VALUES, before) && !GLOBAL_OPTIONS_WITH_VALUE.includes(before);
  });
}

function findOption(words: readonly string[], names: readonly string[]): string | undefined {
  const at = words.findIndex((word) => names.includes(word));
  if (at >= 0) return words[at + 1];
  const joined = words.find((word) => names.some((name) => word.startsWith(`${name}=`)));
  return joined?.slice(joined.indexOf("=") + 1);
}

function completeListItem(prefix: string): string {
  return prefix.slice(0, prefix.lastIndexOf(",") + 1);
}

interface ValueRequest {
  readonly prefix: string;
  readonly db: string | undefined;
  readonly dataDir: string | undefined;
  readonly database: string | undefined;
}

async function findValues(
  line: QuickLine,
  source: ValueSource,
  request: ValueRequest,
): Promise<CompletedValue[]> {
  const filterByPrefix = (values: readonly string[]) =>
    values
      .filter((value) => value.startsWith(request.prefix))
      .map((value) => ({ value, detail: "" }));
  if ("words" in source) return filterByPrefix(source.words);
  if ("importers" in source) {
    const { importerNames } = await import("../../ingest/importers/index.ts");
    return filterByPrefix(importerNames);
  }
  const { suggestStored } = await import("./suggest-stored.ts");
  return suggestStored(line, {
    flags: providedOptions(request),
    prefix: request.prefix,
    kinds: "databases" in source ? undefined : source.suggest.split(","),
    limit: MAX_ITEMS,
  });
}

function providedOptions({ db, dataDir, database }: ValueRequest) {
  return {
    ...(db !== undefined && { db }),
    ...(dataDir !== undefined && { dataDir }),
    ...(database !== undefined && { database }),
  };
}

interface SplitLine {
  readonly words: readonly string[];
  /** The word being typed; empty after a blank. */
  readonly current: string;
}

/** Splits words like a shell, as far as completion needs: blanks, quotes and backslashes. */
export function splitLine(line: string): SplitLine {
  const words: string[] = [];
  let current = "";
  let quote = "";
  let isStarted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
      else current += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      isStarted = true;
    } else if (character === "\\") {
      at += 1;
      current += line[at] ?? "";
    } else if (/\s/.test(character)) {
      if (current !== "" || isStarted) words.push(current);
      current = "";
      isStarted = false;
    } else current += character;
  }
  return { words: words.slice(1), current };
}
