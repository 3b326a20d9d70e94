import type { Command } from "commander";
import { invalidInput } from "../../kernel/errors.ts";
import { parseInteger } from "../../kernel/strict-scalars.ts";
import { visibleJson } from "../../kernel/visible-json.ts";
import type {
  ChangeFeed,
  EventKind,
  EventRecord,
  MemoryEngine,
  Operation,
} from "../../memory/index.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { inShellWords } from "../in-shell-words.ts";
import { withMemory } from "../open-app.ts";

/**
 * A command of its own, because derived commands answer once, while this one can follow the change
 * feed until it is stopped, one event a line. It also lists events.
 */
export const events: CliCommand = {
  name: "events",
  reader: "person",
  summary: "Read the change feed, and follow it live",
  group: "Memory",
  example: "cairn events --since 100\ncairn events --follow --json | jq .kind",
  interruptible: true,
  configure(command: Command) {
    command
      .option("--since <seq>", "events after this number (default: 0; with --follow, from now)")
      .option("--limit <count>", "at most this many (default: 200; with --follow, no end)")
      .option("--kind <kind>", "only this kind, e.g. remembered")
      .option("--follow", "wait for what any process writes, until Ctrl-C");
  },
  run: (line, _args, options) =>
    withMemory(line, options, (memory) =>
      options.follow === true ? follow(line, memory, options) : list(line, memory, options),
    ),
};

type Options = Readonly<Record<string, unknown>>;

async function list(line: CommandLine, memory: MemoryEngine, options: Options) {
  const limit = numberOf(options, "limit");
  const kind = await kindOf(options);
  const input = {
    since_seq: numberOf(options, "since") ?? 0,
    ...(kind !== undefined && { kind }),
    ...(limit !== undefined && { limit }),
  };
  const operation = memory.operations.get("events");
  if (operation !== undefined)
    await inShellWords({ since_seq: "--since" }, () => checkInput(operation, input));
  const { events: found } = await memory.execute("events", input);
  const print = await printerOf(line, options);
  print(found);
  if (found.length === 0 && options.json !== true) line.stdout.write("No events.\n");
  return undefined;
}

/** Reports a wrong option before a missing database. */
async function checkInput(operation: Operation, input: unknown): Promise<void> {
  const { validateInput } = await import("../../memory/index.ts");
  validateInput(operation.input, input, operation.name);
}

async function follow(line: CommandLine, memory: MemoryEngine, options: Options) {
  const { ChangeFeed } = await import("../../memory/index.ts");
  const feed = new ChangeFeed(memory);
  const kind = await kindOf(options);
  const since = numberOf(options, "since") ?? (await feed.position());
  const print = await printerOf(line, options);
  await printFeed(feed, {
    since,
    kind,
    signal: line.signal,
    print,
    limit: numberOf(options, "limit"),
  });
  return undefined;
}

interface Following {
  readonly since: number;
  readonly kind: EventKind | undefined;
  readonly limit: number | undefined;
  readonly signal: AbortSignal;
  readonly print: (events: readonly EventRecord[]) => void;
}

async function printFeed(feed: ChangeFeed, following: Following): Promise<void> {
  let left = following.limit ?? Number.POSITIVE_INFINITY;
  for await (const batch of feed.follow({
    sinceSeq: following.since,
    kind: following.kind,
    signal: following.signal,
  })) {
    following.print(batch.slice(0, left));
    left -= batch.length;
    if (left <= 0) return;
  }
}

async function kindOf({ kind }: Options): Promise<EventKind | undefined> {
  if (kind === undefined) return undefined;
  const { EVENT_KINDS } = await import("../../memory/index.ts");
  const known = EVENT_KINDS.find((name) => name === kind);
  if (known !== undefined) return known;
  throw invalidInput(`--kind: must be one of ${EVENT_KINDS.join(", ")}`);
}

function numberOf(options: Options, name: string): number | undefined {
  const text = options[name];
  return typeof text === "string" ? parseInteger(text, `--${name}`) : undefined;
}

/** One event a line, as JSON or for reading. */
async function printerOf(line: CommandLine, options: Options) {
  if (options.json === true) {
    return (found: readonly EventRecord[]) => {
      for (const event of found) line.stdout.write(`${visibleJson(event)}\n`);
    };
  }
  const [{ renderOutput }, { styleOf }] = await Promise.all([
    import("../render/render-output.ts"),
    import("../render/style.ts"),
  ]);
  return (found: readonly EventRecord[]) => {
    if (found.length === 0) return;
    const lines = renderOutput(found, styleOf(line));
    line.stdout.write(`${lines.join("\n")}\n`);
  };
}
