// Made by `npm run docs` from the table of filters; a test compares the two.

interface PageFilter {
  readonly name: string;
  readonly kind: "text" | "list" | "boolean";
  /** The parameter of a query string that takes its pairs of key and value one by one. */
  readonly pair?: string;
  /** True if recall accepts the filter, too. */
  readonly inRecall: boolean;
  readonly says: string;
}

/** Filters of a list. */
export const FILTERS = [
  {
    name: "since",
    kind: "text",
    inRecall: true,
    says: "On or after this time: 2026-03-31, 2d, yesterday, monday, last month.",
  },
  {
    name: "until",
    kind: "text",
    inRecall: true,
    says: "On or before this time, in the same formats.",
  },
  {
    name: "by",
    kind: "list",
    inRecall: true,
    says: "Asserted by one of these authors.",
  },
  {
    name: "type",
    kind: "list",
    inRecall: true,
    says: "One of these types of episodes, concepts or entities.",
  },
  {
    name: "entity",
    kind: "list",
    inRecall: true,
    says: "Entities as type:name; items must mention all of them.",
  },
  {
    name: "labels",
    kind: "list",
    pair: "label",
    inRecall: true,
    says: "key=value pairs that an item must all carry.",
  },
  {
    name: "not_labels",
    kind: "list",
    pair: "not_label",
    inRecall: true,
    says: "key=value pairs that an item must not carry.",
  },
  {
    name: "topic",
    kind: "list",
    inRecall: true,
    says: "Ids or names of topics; items must belong to one of them.",
  },
  {
    name: "session",
    kind: "list",
    inRecall: true,
    says: "Only episodes of one of these sessions.",
  },
  {
    name: "as_of",
    kind: "text",
    inRecall: false,
    says: "Time at which facts must have been valid, as known now.",
  },
  {
    name: "known_at",
    kind: "text",
    inRecall: false,
    says: "Time at which items must have been known; with as_of, what was then believed.",
  },
  {
    name: "pending",
    kind: "boolean",
    inRecall: true,
    says: "Only episodes that no consolidation has processed.",
  },
  {
    name: "has",
    kind: "list",
    inRecall: true,
    says: "`conflict`: an open one; `collision`: facts that may contradict each other; `source`: a reference, of a concept an episode.",
  },
  {
    name: "text",
    kind: "text",
    inRecall: false,
    says: "Contains all of these words; the last may be a prefix.",
  },
] as const satisfies readonly PageFilter[];
