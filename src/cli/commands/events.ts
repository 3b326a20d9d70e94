import type { Command } from "commander";
import type {
  ChangeFeed,
  EventKind,
  EventRecord,
  FollowOptions,
  MemoryEngine,
} from "../../memory/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { escapeHidden } from "../../shared/json.ts";
import { parseInteger } from "../../shared/parse-field.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { withMemory } from "../command-line.ts";
import { addFilterFlags, readFilterFlags } from "../filter-flags.ts";
import { FILTER_OPTIONS } from "../filter-options.ts";
import { rephraseErrors } from "../rephrase-errors.ts";

export const events: CliCommand = {
  name: "events",
  reader: "person",
  summary: "Read the change feed, and follow it live",
  group: "Memory",
  shelf: "everyday",
  example: "cairn events --since 100\ncairn events --label area=build --follow --json | jq .kind",
  interruptible: true,
  configure(command: Command) {
    command
      .option(
        "--since <seq>",
        "after this number (default: 0; with --follow, from now) or since a time: 2d, monday, 2026-03",
      )
      .option("--limit <count>", "maximum number (default: 200; with --follow, unlimited)")
      .option("--kind <kind>", "only this kind, e.g. remembered")
      .option("--follow", "wait for writes of all processes, until Ctrl-C");
    addFilterFlags(command, FILTERS);
  },
  run: (line, _args, options) =>
    withMemory(line, options, (memory) =>
      options.follow === true
        ? followFeed(line, memory, options)
        : listRecent(line, memory, options),
    ),
};

type Options = Readonly<Record<string, unknown>>;

async function listRecent(line: CommandLine, memory: MemoryEngine, options: Options) {
  const limit = parseNumber(options, "limit");
  const kind = await parseKind(options);
  const input = {
    since_seq: parseSeq(options) ?? 0,
    ...(kind !== undefined && { kind }),
    ...(limit !== undefined && { limit }),
    ...parseFilter(options),
  };
  await checkInput(memory, input);
  const { events: found } = await memory.execute("events", input);
  const print = await createPrinter(line, options);
  print(found);
  if (found.length === 0 && options.json !== true) line.stdout.write("No events.\n");
  return undefined;
}

async function checkInput(memory: MemoryEngine, input: object): Promise<object> {
  const { validateInput } = await import("../../memory/index.ts");
  const operation = memory.operations.get("events");
  if (operation === undefined) return input;
  return rephraseErrors({ since_seq: "--since" }, async () =>
    validateInput(operation.input, input, operation.name),
  );
}

/** `--since` accepts a sequence number or a time, so it is parsed here. */
const FILTERS = FILTER_OPTIONS.map(({ name }) => name).filter((name) => name !== "since");

const SEQ_PATTERN = /^[+-]?\d+$/;

function parseFilter(options: Options): Readonly<Record<string, unknown>> {
  const { since } = options;
  const isTime = typeof since === "string" && !SEQ_PATTERN.test(since);
  return { ...(isTime && { since }), ...readFilterFlags(options, FILTERS) };
}

function parseSeq(options: Options): number | undefined {
  const { since } = options;
  return typeof since === "string" && SEQ_PATTERN.test(since)
    ? parseNumber(options, "since")
    : undefined;
}

async function followFeed(line: CommandLine, memory: MemoryEngine, options: Options) {
  const { ChangeFeed } = await import("../../memory/index.ts");
  const feed = new ChangeFeed(memory);
  const kind = await parseKind(options);
  const input = parseFilter(options);
  const filter = memory.feedFilter(await checkInput(memory, input));
  const from = input.since === undefined ? await feed.position() : 0;
  const print = await createPrinter(line, options);
  await printFeed(feed, {
    since: parseSeq(options) ?? from,
    kind,
    filter,
    signal: line.signal,
    print,
    limit: parseNumber(options, "limit"),
  });
  return undefined;
}

interface Following {
  readonly since: number;
  readonly kind: EventKind | undefined;
  readonly filter: FollowOptions["filter"];
  readonly limit: number | undefined;
  readonly signal: AbortSignal;
  readonly print: (events: readonly EventRecord[]) => void;
}

async function printFeed(feed: ChangeFeed, following: Following): Promise<void> {
  let remaining = following.limit ?? Number.POSITIVE_INFINITY;
  for await (const batch of feed.follow({
    sinceSeq: following.since,
    kind: following.kind,
    filter: following.filter,
    signal: following.signal,
  })) {
    following.print(batch.slice(0, remaining));
    remaining -= batch.length;
    if (remaining <= 0) return;
  }
}

async function parseKind({ kind }: Options): Promise<EventKind | undefined> {
  if (kind === undefined) return undefined;
  const { EVENT_KINDS } = await import("../../memory/index.ts");
  const known = EVENT_KINDS.find((name) => name === kind);
  if (known !== undefined) return known;
  throw invalidInput(`--kind: must be one of ${EVENT_KINDS.join(", ")}`);
}

function parseNumber(options: Options, name: string): number | undefined {
  const text = options[name];
  return typeof text === "string" ? parseInteger(text, `--${name}`) : undefined;
}

async function createPrinter(line: CommandLine, options: Options) {
  if (options.json === true) {
    return (found: readonly EventRecord[]) => {
      for (const event of found) line.stdout.write(`${escapeHidden(event)}\n`);
    };
  }
  const [{ renderOutput }, { detectStyle: getStyle }] = await Promise.all([
    import("../render/render-output.ts"),
    import("../render/style.ts"),
  ]);
  return (found: readonly EventRecord[]) => {
    if (found.length === 0) return;
    const lines = renderOutput(found, getStyle(line));
    line.stdout.write(`${lines.join("\n")}\n`);
  };
}
