import type { Memory, OutputOf } from "../../memory/index.ts";
import type { SlashCommand } from "../ports/slash-command.ts";
import { writableMemoryOf } from "./memory-of.ts";
import { type Decided, oneByOne } from "./one-by-one.ts";

type Contradiction = OutputOf<"contradictions">["contradictions"][number];

export const contradictions: SlashCommand = {
  name: "contradictions",
  summary: "Go through what this memory says otherwise than a farther layer, one by one",
  async run(context) {
    const { dialogue, signal } = context;
    const memory = writableMemoryOf(context);
    const { contradictions: found, warnings = [] } = await memory.execute(
      "contradictions",
      {},
      { signal },
    );
    for (const { message } of warnings) dialogue.info(message);
    if (found.length === 0) {
      dialogue.info("Nothing here says otherwise than a farther layer.");
      return;
    }
    const settled = await oneByOne(context, {
      items: found,
      idOf: ({ nearer }) => nearer.id,
      describe,
      question: "[p]romote yours, for the farther layer to decide, [t]ake yours back, [b]oth stay",
      again: "Please answer p, t, b, s or q.",
      answers: ANSWERS,
      settle: (decided) => settle(memory, decided, signal),
    });
    dialogue.info(`${settled.length} settled, ${found.length - settled.length} left.`);
  },
};

const ANSWERS = [
  { key: "p", label: "promote yours: the farther layer decides", word: "promote" },
  { key: "t", label: "take yours back", word: "take" },
  { key: "b", label: "both stay as they are", word: "both" },
];

function describe({ nearer, farther, layer }: Contradiction, position: string): string {
  return [
    `${nearer.id} says otherwise than ${layer} (${position})`,
    `yours: ${side(nearer)}`,
    `${layer}: ${side(farther)}`,
  ].join("\n");
}

function side({ id, content, asserted_by: by, created_at: at }: Contradiction["nearer"]): string {
  const origin = [id, ...(by === null ? [] : [`by ${by}`]), at.slice(0, 10)];
  return `${content.replace(/\n/g, "\n    ")}\n    ${origin.join(", ")}`;
}

async function settle(
  memory: Memory,
  { item: { nearer, farther, layer }, key }: Decided<Contradiction>,
  signal: AbortSignal,
): Promise<string> {
  const { id } = nearer;
  const options = { signal, surface: "agent" } as const;
  if (key === "t") {
    await memory.execute("delete", { id }, options);
    return `Forgot ${id}: ${farther.id} holds. \`cairn restore ${id}\` brings it back.`;
  }
  if (key === "b") {
    await memory.execute("unlabel", { id, key: "contradicts", value: farther.id }, options);
    return `${id} and ${farther.id} stay as they are.`;
  }
  const promoted = await memory.execute("promote", { id, to: layer }, options);
  const { promoted_id: copy = id, conflicts = [] } = promoted;
  return conflicts.length === 0
    ? `${id} is ${copy} now.`
    : `${id} is ${copy} now: somebody of ${layer} decides ${conflicts.join(", ")}.`;
}
