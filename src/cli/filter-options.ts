// Made by `npm run docs` from the table of filters; a test compares the two.

/** Filters as options; `ofNouns`: the lists of one noun take it too. */
export const FILTER_OPTIONS: readonly {
  readonly flags: readonly string[];
  readonly isList: boolean;
  readonly suggests?: string;
  readonly ofNouns: boolean;
}[] = [
  {
    flags: ["--since"],
    isList: false,
    ofNouns: false,
  },
  {
    flags: ["--until"],
    isList: false,
    ofNouns: false,
  },
  {
    flags: ["--by"],
    isList: true,
    suggests: "author",
    ofNouns: false,
  },
  {
    flags: ["--type"],
    isList: true,
    suggests: "type",
    ofNouns: true,
  },
  {
    flags: ["--entity", "-e"],
    isList: true,
    suggests: "entity",
    ofNouns: false,
  },
  {
    flags: ["--labels", "--label", "-l"],
    isList: true,
    suggests: "label",
    ofNouns: true,
  },
  {
    flags: ["--not-labels", "--not-label"],
    isList: true,
    suggests: "label",
    ofNouns: false,
  },
  {
    flags: ["--topic"],
    isList: true,
    suggests: "topic",
    ofNouns: false,
  },
  {
    flags: ["--session"],
    isList: true,
    suggests: "session",
    ofNouns: false,
  },
  {
    flags: ["--as-of"],
    isList: false,
    ofNouns: false,
  },
  {
    flags: ["--known-at"],
    isList: false,
    ofNouns: false,
  },
  {
    flags: ["--pending"],
    isList: false,
    ofNouns: false,
  },
  {
    flags: ["--has"],
    isList: true,
    ofNouns: false,
  },
  {
    flags: ["--text"],
    isList: false,
    ofNouns: false,
  },
];
