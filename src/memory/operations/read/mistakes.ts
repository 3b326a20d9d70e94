import { and, desc, eq, exists, isNull } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "../../../database/index.ts";
import { splitCommandLine } from "../../commands/parse-programs.ts";
import { loadEpisodes } from "../../episodes/episode.queries.ts";
import type { EpisodeRecord } from "../../episodes/episode.schema.ts";
import { episodes } from "../../episodes/episode.table.ts";
import { contentField, idOf, referenceField } from "../../input/fields.ts";
import { episodeId, parseNumberedId } from "../../input/item-ids.ts";
import { episodeLabels } from "../../labels/label.table.ts";
import {
  AVOIDED_LABEL,
  MISTAKE_LABEL,
  type MistakePair,
  type MistakeRecord,
  mistakePair,
  mistakeRecord,
  REPEATED_LABEL,
} from "../../mistakes/mistake.schema.ts";
import { defineOperation } from "../define-operation.ts";

interface Act {
  readonly command?: string | undefined;
  readonly file?: string | undefined;
  readonly text?: string | undefined;
}

const MIN_SAME_RATIO = 0.5;
const DISTINCTIVE_LINE = /[\p{L}\p{N}](?:.*[\p{L}\p{N}]){5}/u;

export function repeatsMistake(act: Act, mistake: MistakePair): boolean {
  if (mistake.command !== undefined) {
    if (act.command === undefined) return false;
    const known = mistake.command;
    const isSame = mistake.how === "cured" ? haveSameWords : isSameKind;
    return splitCommands(act.command).some((command) =>
      splitCommands(known).some((other) => isSame(command, other)),
    );
  }
  if (mistake.wrote === undefined || act.text === undefined) return false;
  if (mistake.file !== undefined && act.file !== mistake.file) return false;
  const lines = new Set(splitLines(act.text));
  const telling = mistake.wrote.filter((line) => DISTINCTIVE_LINE.test(line));
  return telling.some((line) => lines.has(line.trim()));
}

function splitCommands(line: string): readonly (readonly string[])[] {
  return splitCommandLine(line).filter(([program]) => program !== "cd");
}

function haveSameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.join(" ") === b.join(" ");
}

function isSameKind(command: readonly string[], refused: readonly string[]): boolean {
  if (command[0] !== refused[0]) return false;
  const values = new Set(command);
  if (refused.some((word) => word.startsWith("-") && !values.has(word))) return false;
  const all = new Set([...command, ...refused]);
  const common = refused.filter((word) => values.has(word)).length;
  return common / all.size >= MIN_SAME_RATIO || isSubcommand(command, refused);
}

/** `npm install a b c` repeats `npm install d`: the subcommand is the same. */
function isSubcommand(command: readonly string[], refused: readonly string[]): boolean {
  const [, name] = refused;
  return name !== undefined && /^[a-z]+(?:[:-][a-z]+)*$/.test(name) && command[1] === name;
}

function splitLines(text: string): string[] {
  return text.split("\n").map((line) => line.trim());
}

const MAX_READ = 2_000;

interface MistakeRequest {
  readonly only?: number | undefined;
  readonly matches?: ((pair: MistakePair) => boolean) | undefined;
  readonly limit: number;
}

/**
 * Loads the newest matching mistakes and their total. Runs before every tool call of an agent, so
 * only the returned ones are read in full.
 */
async function loadMistakes(
  tx: Tx,
  { only, matches, limit }: MistakeRequest,
): Promise<{ mistakes: MistakeRecord[]; total: number }> {
  const pairs = (await parsePairs(tx, only)).filter(
    ({ pair }) => matches === undefined || matches(pair),
  );
  const page = pairs.slice(0, limit);
  const found = await loadEpisodes(
    tx,
    page.map(({ id }) => id),
  );
  const pairOf = new Map(page.map(({ id, pair }) => [episodeId(id), pair]));
  const mistakes = found.flatMap((episode) => {
    const pair = pairOf.get(episode.id);
    return pair === undefined ? [] : [toMistake(episode, pair)];
  });
  return { mistakes, total: pairs.length };
}

async function parsePairs(
  tx: Tx,
  only: number | undefined,
): Promise<{ id: number; pair: MistakePair }[]> {
  const labelled = tx
    .select({ id: episodeLabels.episodeId })
    .from(episodeLabels)
    .where(and(eq(episodeLabels.episodeId, episodes.id), eq(episodeLabels.key, MISTAKE_LABEL)));
  const rows = await tx
    .select({ id: episodes.id, metadata: episodes.metadata })
    .from(episodes)
    .where(
      and(
        isNull(episodes.deletedAt),
        exists(labelled),
        only === undefined ? undefined : eq(episodes.id, only),
      ),
    )
    .orderBy(desc(episodes.id))
    .limit(MAX_READ);
  return rows.flatMap(({ id, metadata }) => {
    const parsed = mistakeMetadata.safeParse(metadata);
    return parsed.success ? [{ id, pair: parsed.data.mistake }] : [];
  });
}

const mistakeMetadata = z.looseObject({ mistake: mistakePair });

function toMistake(episode: EpisodeRecord, pair: MistakePair): MistakeRecord {
  const sessionsByLabel = (requested: string) =>
    episode.labels.filter(({ key }) => key === requested).map(({ value }) => value);
  const { id, content, asserted_by, source_ref, session, occurred_at, created_at } = episode;
  return {
    ...{ id, content, ...pair, asserted_by, source_ref, session },
    at: occurred_at ?? created_at,
    avoided: sessionsByLabel(AVOIDED_LABEL),
    repeated: sessionsByLabel(REPEATED_LABEL),
  };
}

export const mistakes = defineOperation({
  name: "mistakes",
  summary: "List mistakes, what was wanted instead, and how often they were avoided since",
  description:
    "With a command, or a file and what is about to be written to it: those that this would make " +
    "again. The newest comes first.",
  kind: "read",
  input: z.strictObject({
    id: idOf("episode").optional().describe("Id of one mistake."),
    command: contentField.optional().describe("Command line about to run."),
    file: referenceField.optional().describe("Project path of the file about to be written."),
    text: contentField.optional().describe("Text about to be written."),
    limit: z.number().int().min(1).max(500).default(50),
  }),
  output: z.object({ mistakes: z.array(mistakeRecord), total: z.number().int() }),
  mcp: { interfaces: false },
  rest: false,
  cli: { command: "list mistakes", group: "Inspection", example: "cairn list mistakes" },
  async run({ tx }, { id, command, file, text, limit }) {
    const only = id === undefined ? undefined : parseNumberedId(id, "episode", "id");
    const isRequested = command !== undefined || file !== undefined || text !== undefined;
    const act = { command, file, text };
    return loadMistakes(tx, {
      only,
      matches: isRequested ? (pair) => repeatsMistake(act, pair) : undefined,
      limit,
    });
  },
});
