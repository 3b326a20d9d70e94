import type { Command } from "commander";

interface GlobalOption {
  readonly flags: string;
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly description: string;
}

export const GLOBAL_OPTIONS: readonly GlobalOption[] = [
  {
    flags: "-d, --db <name>",
    names: ["-d", "--db"],
    takesValue: true,
    description: "database (default: CAIRN_DB, the project's, or your own `default`)",
  },
  {
    flags: "--data-dir <folder>",
    names: ["--data-dir"],
    takesValue: true,
    description: "folder of the databases (CAIRN_DATA_DIR)",
  },
  {
    flags: "--database <address>",
    names: ["--database"],
    takesValue: true,
    description: "URL of the PostgreSQL server (CAIRN_DATABASE)",
  },
  { flags: "--json", names: ["--json"], takesValue: false, description: "print JSON" },
  {
    flags: "--color <when>",
    names: ["--color"],
    takesValue: true,
    description: "auto, always or never (default: auto; NO_COLOR counts)",
  },
  {
    flags: "--no-pager",
    names: ["--no-pager"],
    takesValue: false,
    description: "print long output without a pager",
  },
];

export function addGlobalOptions(command: Command): void {
  for (const { flags, description } of GLOBAL_OPTIONS) command.option(flags, description);
}
