import { Readable, Writable } from "node:stream";
import { COMMAND_GROUPS } from "../../src/cli/cli-command.ts";
import { describeAll } from "../../src/cli/create-program.ts";
import type { DescribedCommand } from "../../src/cli/describe-program.ts";
import { GLOBAL_OPTIONS } from "../../src/cli/global-options.ts";
import { silentLogger } from "../../src/shared/logger.ts";

/** Options that every command takes; they are told once. */
const GLOBAL = GLOBAL_OPTIONS.flatMap(({ names }) => names);

/** The page, made from the program itself. */
export async function cliReference(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const commands = await describeAll({
    env: {},
    cwd: process.cwd(),
    stdin: Readable.from([]),
    stdout: nowhere,
    stderr: nowhere,
    logger: silentLogger,
    furtherOperations: [],
    signal: new AbortController().signal,
  });
  const sections = COMMAND_GROUPS.map((group) => {
    const ofGroup = commands.filter((command) => command.group === group);
    return `## ${group}\n\n${ofGroup.map(describe).join("\n")}`;
  });
  return `${INTRODUCTION}\n${sections.join("\n")}`;
}

const INTRODUCTION = `# Command line

Made by \`npm run docs\`; a test compares it with the program.

Every command takes, in front of its name or behind it: \`-d\`, \`--db <name>\` (the database), \`--data-dir
<folder>\` (where databases are; else \`CAIRN_DATA_DIR\`), \`--json\` (one line of JSON on standard output,
of \`events\` one line an event; errors as \`{"error": {"code", "message"}}\` too), \`--color
auto|always|never\` and \`--no-pager\`. \`cairn help <command>\` tells more, \`cairn help --all\` names all.

Without \`--db\` the database is that of \`CAIRN_DB\`; else the one that the nearest \`.cairn/config.json\`
upwards names, at most up to the home folder; else the git work tree's own, \`<folder>-<hash>\`, the same
in all work trees of a repository; else \`default\`, your own. \`cairn config\` and \`cairn databases\` say
which one it is. It reads as empty before its first write; a name that was typed has to exist.

Exit codes: 0 done, 1 failed, 2 called wrongly, 130 stopped by Ctrl-C. Results go to standard
output; warnings, errors and progress to standard error. Colour is used on a terminal only, and
never with \`NO_COLOR\`. Where a command takes a long text (\`content\`, \`summary\`, \`description\`,
\`query\`, \`note\`, \`reason\`), \`-\` reads it from standard input.
`;

function describe({ usage, summary, arguments: args, options }: DescribedCommand): string {
  const rows = [
    ...args.map((argument) => [argument.name, argument.description]),
    ...options
      .filter(({ long }) => !GLOBAL.includes(long))
      .map(({ flags, description }) => [flags, description]),
  ];
  const table =
    rows.length === 0
      ? ""
      : `\n| | |\n| --- | --- |\n${rows.map(([name = "", text = ""]) => `| \`${cell(name)}\` | ${cell(text).replaceAll("<", "&lt;")} |\n`).join("")}`;
  return `### \`${usage}\`\n\n${summary}.\n${table}`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
