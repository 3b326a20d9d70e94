// Made by `npm run docs` from the table of filters; a test compares the two.

export interface FilterOption {
  readonly name: string;
  readonly flags: readonly string[];
  readonly isList: boolean;
  /** It stands without a value. */
  readonly isSwitch?: true;
  readonly suggests?: string;
  readonly says: string;
}

/** Filters as options. */
export const FILTER_OPTIONS: readonly FilterOption[] = [
  {
    name: "since",
    flags: ["--since"],
    isList: false,
    says: "On or after this time: 2026-03-31, 2d, yesterday, monday, last month.",
  },
  {
    name: "until",
    flags: ["--until"],
    isList: false,
    says: "On or before this time, in the same formats.",
  },
  {
    name: "by",
    flags: ["--by"],
    isList: true,
    suggests: "author",
    says: "Asserted by one of these authors.",
  },
  {
    name: "type",
    flags: ["--type"],
    isList: true,
    suggests: "type",
    says: "One of these types of episodes, concepts or entities.",
  },
  {
    name: "entity",
    flags: ["--entity", "-e"],
    isList: true,
    suggests: "entity",
    says: "Entities as type:name; items must mention all of them.",
  },
  {
    name: "labels",
    flags: ["--labels", "--label", "-l"],
    isList: true,
    suggests: "label",
    says: "key=value pairs that an item must all carry.",
  },
  {
    name: "not_labels",
    flags: ["--not-labels", "--not-label"],
    isList: true,
    suggests: "label",
    says: "key=value pairs that an item must not carry.",
  },
  {
    name: "topic",
    flags: ["--topic"],
    isList: true,
    suggests: "topic",
    says: "Ids or names of topics; items must belong to one of them.",
  },
  {
    name: "session",
    flags: ["--session"],
    isList: true,
    suggests: "session",
    says: "Only episodes of one of these sessions.",
  },
  {
    name: "as_of",
    flags: ["--as-of"],
    isList: false,
    says: "Time at which facts must have been valid, as known now.",
  },
  {
    name: "known_at",
    flags: ["--known-at"],
    isList: false,
    says: "Time at which items must have been known; with as_of, what was then believed.",
  },
  {
    name: "pending",
    flags: ["--pending"],
    isList: false,
    isSwitch: true,
    says: "Only episodes that no consolidation has processed.",
  },
  {
    name: "has",
    flags: ["--has"],
    isList: true,
    says: "`conflict`: an open one; `collision`: facts that may contradict each other; `source`: a reference, of a concept an episode.",
  },
  {
    name: "text",
    flags: ["--text"],
    isList: false,
    says: "Contains all of these words; the last may be a prefix.",
  },
];
