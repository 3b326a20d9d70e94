import { FILTER_OPTIONS } from "../filter-options.ts";

export type ValueSource =
  /** Kinds of `suggest`, of one entry behind the last comma where the value is a list. */
  | { readonly suggest: string; readonly isList?: boolean }
  | { readonly words: readonly string[] }
  | { readonly databases: true }
  | { readonly importers: true };

const IDS = "episode,fact,concept,entity,conflict";
const EPISODE: ValueSource = { suggest: "episode" };
const ENTITIES: ValueSource = { suggest: "entity", isList: true };
const AUTHOR: ValueSource = { suggest: "author" };
const FACT: ValueSource = { suggest: "fact" };
const CONCEPT: ValueSource = { suggest: "concept" };
const ITEMS: ValueSource = { suggest: "episode,concept", isList: true };

const OF_FILTERS: Readonly<Record<string, ValueSource>> = Object.fromEntries(
  FILTER_OPTIONS.flatMap(({ flags, isList, suggests: suggest }) =>
    suggest === undefined ? [] : flags.map((flag) => [flag, { suggest, isList }]),
  ),
);

/** Values of options, by their long or short name. */
export const OPTION_VALUES: Readonly<Record<string, ValueSource>> = {
  "--db": { databases: true },
  "-d": { databases: true },
  "--episode-type": { suggest: "type" },
  "-t": { suggest: "type" },
  ...OF_FILTERS,
  "--entities": ENTITIES,
  "--asserted-by": AUTHOR,
  "--author": AUTHOR,
  "--from": { importers: true },
  "--kinds": { words: ["episode", "fact", "concept", "entity"] },
  "--has": { words: ["conflict", "collision", "source"] },
  "--sort": { words: ["newest", "oldest", "updated"] },
  "--format": {
    words: ["jsonl", "markdown", "claude-md", "tree", "svg", "dot", "mermaid", "html"],
  },
  "--bucket": { words: ["day", "week", "month", "year"] },
  "--since": { words: ["1d", "7d", "today", "yesterday", "last-week"] },
  "--color": { words: ["auto", "always", "never"] },
  "--severity": { words: ["low", "medium", "high"] },
};

/** Values of arguments, by command; the last one repeats. */
export const ARGUMENT_VALUES: Readonly<Record<string, readonly ValueSource[]>> = {
  accept: [{ suggest: "proposal" }],
  reject: [{ suggest: "proposal" }],
  show: [{ suggest: `${IDS},topic` }],
  log: [{ suggest: IDS }],
  edit: [{ suggest: "episode,concept" }],
  delete: [{ suggest: "episode,concept" }],
  rm: [{ suggest: "episode,concept" }],
  purge: [{ suggest: IDS }],
  label: [{ suggest: "episode,concept" }],
  unlabel: [{ suggest: "episode,concept" }],
  update: [{ suggest: "episode,concept" }],
  "episode update": [EPISODE],
  processed: [ITEMS],
  graph: [{ suggest: IDS }],
  "topic update": [{ suggest: "topic" }],
  "topic delete": [{ suggest: "topic" }],
  supersede: [FACT],
  conflict: [FACT],
  resolve: [{ suggest: "conflict" }, FACT],
  dismiss: [{ suggest: "conflict" }],
  "concept link": [CONCEPT],
  "concept split": [CONCEPT],
  "concept merge": [CONCEPT],
  "why-not": [{ suggest: "episode,fact,concept" }],
  completion: [{ words: ["bash", "zsh", "fish"] }],
  db: [
    {
      words: "list create rename copy delete bin restore backup diff merge".split(" "),
    },
    { databases: true },
  ],
};
