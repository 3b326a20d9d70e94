/** Test tags, for each configuration that runs tagged files. */
export const TAGS = [
  {
    name: "long",
    description:
      "Plays whole stories: browsers, terminals, killed processes, random histories, every row of a table.",
  },
];
