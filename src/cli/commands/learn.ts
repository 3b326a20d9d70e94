import type { ModelTally } from "../../ingest/learning/index.ts";
import type { LearnedFromSources } from "../../ingest/sources/index.ts";
import { toTimestamp } from "../../shared/clock.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { requireExisting, withMemory } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";
import { withProgress } from "../render/progress.ts";

export const learn: CliCommand = {
  name: "learn",
  reader: "person",
  summary: "Learn explicit decisions, preferences and facts from sessions",
  group: "Memory",
  example: "cairn learn --dry-run\ncairn learn\ncairn learn --source source:4 --ask",
  interruptible: true,
  configure(command) {
    command
      .option("--source <id>", "only this source, e.g. source:4 (`cairn list sources` lists them)")
      .option("--again", "learn from all sources again, not only from new passages")
      .option("--ask", "store nothing directly; create proposals instead")
      .option("--dry-run", "show what would be learned without writing");
  },
  run: (line, _args, options) =>
    withMemory(line, options, async (memory, { config }) => {
      await requireExisting(memory);
      const { learnFromSources } = await import("../../ingest/sources/index.ts");
      const { createLearnMakers: learnMakers } = await import("../../app/index.ts");
      const { source } = options;
      if (typeof source === "string") await memory.execute("get_source", { source_id: source });
      const isDry = options.dryRun === true;
      const run = `learn ${toTimestamp(new Date())}`;
      const { makers, tally } = await learnMakers(
        { config, env: line.env, signal: line.signal },
        memory,
      );
      const learned = await withProgress(line, (onProgress) =>
        learnFromSources(memory, {
          accept: options.ask === true ? "ask" : config.settings.learn.accept,
          ...(typeof source === "string" && { source }),
          ...{ isAgain: options.again === true, isDry, run },
          ...(makers && { makers }),
          ...(line.signal && { signal: line.signal }),
          onProgress,
        }),
      );
      if (options.json === true) {
        line.stdout.write(`${JSON.stringify({ ...toJson(learned), model: tally })}\n`);
      } else await describeLearned(line, learned, { isDry, run });
      for (const sentence of describeUnlearned(tally)) line.stderr.write(`cairn: ${sentence}\n`);
      return EXIT.ok;
    }),
};

function describeUnlearned({ requests, leftOut, unreadable }: ModelTally): string[] {
  const parts = requests + leftOut;
  return [
    ...(leftOut === 0
      ? []
      : [
          `Today's learn.budget is used up: ${leftOut} of ${parts} parts were processed by rules only. \`cairn learn --again\` processes them again.`,
        ]),
    ...(unreadable === 0
      ? []
      : [`${unreadable} of ${requests} responses of learn.with were not JSON.`]),
  ];
}

function toJson({ kept, proposed, ...counts }: LearnedFromSources) {
  return {
    ...counts,
    kept: kept.map(({ claim, ...one }) => ({ ...one, ...getBasis(claim) })),
    proposed: proposed.map(({ claim, ...one }) => ({
      ...one,
      ...{ content: claim.content, episode_type: claim.episode_type, reason: claim.reason },
      ...getBasis(claim),
    })),
  };
}

type Claim = LearnedFromSources["kept"][number]["claim"];

const getBasis = ({ asserted_by, occurred_at, quotation, evidence }: Claim) => ({
  ...{ asserted_by, occurred_at, quotation, evidence },
});

async function describeLearned(
  line: CommandLine,
  { sources, passages, kept, proposed, known, changes }: LearnedFromSources,
  { isDry, run }: { readonly isDry: boolean; readonly run: string },
): Promise<void> {
  const { toInline: inLine } = await import("../render/show-value.ts");
  const { storedText } = await import("../../ingest/capture/index.ts");
  for (const one of kept) {
    line.stdout.write(`◆ ${one.episode_type}: ${inLine(storedText([one]))} · ${one.source}\n`);
  }
  for (const { claim, source } of proposed) {
    const { episode_type: type, content, reason } = claim;
    const reasonText = reason === undefined ? "" : ` (${reason})`;
    line.stdout.write(`? ${type}: ${inLine(content)}${inLine(reasonText)} · ${source}\n`);
  }
  const [keeps, proposes] = isDry ? ["Would keep", "propose"] : ["Kept", "proposed"];
  const storedNote = known === 0 ? "" : `; ${known} already stored`;
  line.stdout.write(
    `${keeps} ${kept.length} and ${proposes} ${proposed.length}, of ${passages} passages in ${sources} sources${storedNote}.\n`,
  );
  if (sources === 0) {
    line.stdout.write("Learning only uses sessions; recall finds commits and decision files.\n");
  }
  if (isDry) return;
  if (changes.length > 0) {
    const target = changes.length > 1 ? `--session "${run}"` : changes.join("");
    line.stdout.write(`\`cairn undo ${target}\` reverts it.\n`);
  }
  if (proposed.length > 0) line.stdout.write("`cairn list proposals` lists pending proposals.\n");
}
