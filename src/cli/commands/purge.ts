import { createInterface } from "node:readline/promises";
import type { MemoryEngine } from "../../memory/index.ts";
import { invalidInput, notFound } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { CliCommand } from "../cli-command.ts";
import { type CommandLine, requireExisting, withMemory } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";
import { reportCopies, verifyPurged } from "../purge/verify-purged.ts";
import { toInline } from "../render/show-value.ts";
import { loadShown } from "../show/load-shown.ts";

const WORDS = ["content", "statement", "title", "summary", "text"];
/** Shorter texts match too often. */
const MIN_LENGTH = 4;
/** Longer texts may span two database pages, where a search would miss them. */
const MAX_LENGTH = 80;
const MAX_ITEMS = 20;

/** Returns up to `limit` line beginnings of the items, for finding copies. Throws not_found. */
async function findDistinctiveTexts(
  memory: MemoryEngine,
  ids: readonly string[],
  limit = MAX_ITEMS,
): Promise<string[]> {
  const words = new Set<string>();
  for (const id of ids) {
    if (words.size >= limit) break;
    const { item } = await loadShown(memory, id);
    for (const record of Object.values(item)) {
      if (!isPlainObject(record)) continue;
      for (const field of WORDS) collectDistinctiveWords(record[field], words);
    }
  }
  return [...words].slice(0, limit);
}

function collectDistinctiveWords(value: unknown, words: Set<string>): void {
  if (typeof value !== "string") return;
  for (const line of value.split("\n")) {
    const piece = [...line.trim()].slice(0, MAX_LENGTH).join("");
    if (piece.length >= MIN_LENGTH) words.add(piece);
  }
}

export const purge: CliCommand = {
  name: "purge",
  reader: "person",
  summary: "Remove items permanently, and verify that nothing remains",
  group: "Corrections",
  example:
    'cairn purge ep:3 fact:7\ncairn purge --by Ada --verify\ncairn purge ep:3 --everywhere\ncairn purge --verify "a name" --everywhere',
  configure(command) {
    command
      .argument("[ids...]", "episodes, facts and concepts")
      .option("--by <author>", "everything that this author wrote")
      .option("--entity <type:name>", "everything that mentions this entity")
      .option("--label <key=value>", "everything with this label")
      .option("--verify [text]", "search all database files for this text or the items' text")
      .option("--everywhere", "also search other databases, the bin, backups, exports and queues")
      .option("-y, --yes", "skip the confirmation; required without a terminal");
  },
  run: (line, values, options) =>
    withMemory(line, options, async (memory, app) => {
      await requireExisting(memory);
      const everywhere = options.everywhere === true;
      const isVerified = options.verify !== undefined || everywhere;
      const ids = await selectIds(memory, values, options);
      const texts = await collectTexts(memory, ids, options);
      if (ids.length > 0) {
        const items = ids.length > MAX_LISTED ? `${ids.length} items` : ids.join(", ");
        if (options.yes !== true && !(await confirmPermanently(line, items))) return EXIT.failed;
        const filter = parseFilter(options);
        const purged = await memory.execute("purge", filter ?? { ids: [...ids] }, {
          surface: "cli",
        });
        if (options.json !== true) {
          line.stdout.write(`Purged permanently: ${purged.purged.join(", ")}.\n`);
          for (const { id, title } of purged.derived ?? []) {
            line.stdout.write(
              `Derived from it and still stored: ${id} “${toInline(title)}”. Remove it: cairn purge ${id}\n`,
            );
          }
          if (!isVerified) reportCopies(line, purged.kept_elsewhere);
        } else if (!isVerified) line.stdout.write(`${JSON.stringify(purged)}\n`);
      }
      if (!isVerified) return EXIT.ok;
      return verifyPurged(line, { memory, app, texts, everywhere, json: options.json === true });
    }),
};

/** Maximum ids listed in the confirmation. */
const MAX_LISTED = 20;

function parseFilter({ by, entity, label }: Readonly<Record<string, unknown>>) {
  const filter = {
    ...(typeof by === "string" && { by }),
    ...(typeof entity === "string" && { entity }),
    ...(typeof label === "string" && { label }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

async function selectIds(
  memory: MemoryEngine,
  ids: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const filter = parseFilter(options);
  if (filter === undefined) return ids;
  if (ids.length > 0) throw invalidInput("ids: give either ids, or --by, --entity and --label");
  const { purged } = await memory.execute(
    "purge",
    { ...filter, dry_run: true },
    { surface: "cli" },
  );
  if (purged.length === 0) throw notFound(`No item matches ${JSON.stringify(filter)}.`);
  return purged;
}

/** Returns the texts to verify after the purge: the given text or the items' content. */
async function collectTexts(
  memory: MemoryEngine,
  ids: readonly string[],
  { verify, everywhere }: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  if (typeof verify === "string") {
    if (verify.trim() === "") throw invalidInput("--verify: must not be blank");
    return [verify];
  }
  if (ids.length === 0) {
    throw invalidInput("ids: missing; use e.g. cairn purge ep:3, or --verify TEXT");
  }
  if (verify === undefined && everywhere !== true) return [];
  const words = await findDistinctiveTexts(memory, ids);
  if (words.length > 0) return words;
  throw invalidInput(
    `--verify: ${ids.join(", ")} has no text left to search for; pass the text, as in --verify "a name"`,
  );
}

/** Confirms permanent removal. Throws invalid_input without a terminal. */
async function confirmPermanently(line: CommandLine, items: string): Promise<boolean> {
  if (line.stdin.isTTY !== true || line.stdout.isTTY !== true) {
    throw invalidInput("--yes: is required without a terminal, since a purge cannot be undone");
  }
  const dialogue = createInterface({ input: line.stdin, output: line.stdout });
  try {
    const question = `Purge ${items} permanently? This cannot be undone. [y/N] `;
    const answer = await dialogue.question(question, { signal: line.signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    dialogue.close();
  }
}
