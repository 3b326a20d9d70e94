import { EFFORTS } from "../../llm/index.ts";
import { messageOf } from "../../shared/errors.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";

export const effort: SlashCommand = {
  name: "effort",
  argument: { name: EFFORTS.join("|") },
  summary: "Show or change the reasoning effort",
  async run({ thread, dialogue }, args) {
    if (args === "") {
      const now = thread.effort ?? "the provider's default";
      dialogue.info(`The effort is ${now}. /effort ${EFFORTS.join("|")} changes it here.`);
      return;
    }
    const requested = EFFORTS.find((one) => one === args.toLowerCase());
    if (requested === undefined) {
      dialogue.error(`"${args}" is not an effort: ${EFFORTS.join(", ")}.`, "invalid_input");
      return;
    }
    await thread.setEffort(requested);
    dialogue.success(`The effort is ${requested} from the next message on.`);
  },
};

const MAX_SHOWN = 20;

export const model: SlashCommand = {
  name: "model",
  argument: { name: "name" },
  summary: "Show, search or change the model of this thread",
  async run(context, args) {
    const { thread, dialogue } = context;
    const requested = args === "" ? await choose(context) : args;
    if (requested === undefined) return;
    await thread.setModel(requested);
    dialogue.success(`The model is ${thread.model} from the next message on.`);
  },
};

async function choose({
  thread,
  dialogue,
  signal,
}: SlashCommandContext): Promise<string | undefined> {
  const is = `The model is ${thread.model}. /model <name> changes it for this thread.`;
  let names: readonly string[];
  try {
    names = await thread.models();
  } catch (error) {
    signal.throwIfAborted();
    dialogue.info(`${is} ${messageOf(error)}`);
    return undefined;
  }
  if (names.length === 0) {
    dialogue.info(is);
    return undefined;
  }
  for (let left = names; ; ) {
    dialogue.print(
      `${formatModels(left, thread.model)}\nWindows and prices: as of ${thread.modelsKnownAt.slice(0, 10)}.`,
    );
    const reply = (
      await dialogue.ask(
        "Which model? A number, a part of its name, or [q] to keep the current one.",
      )
    ).trim();
    if (/^(q|quit|n|no|)$/i.test(reply)) return undefined;
    const byNumber = /^\d+$/.test(reply) ? left.slice(0, MAX_SHOWN)[Number(reply) - 1] : undefined;
    if (byNumber !== undefined) return byNumber;
    const found = matching(names, reply);
    if (found.length === 1 || found[0] === reply) return found[0];
    if (found.length === 0) dialogue.info(`No model has "${reply}" in its name.`);
    left = found.length === 0 ? names : found;
  }
}

function matching(names: readonly string[], typed: string): readonly string[] {
  const words = typed.toLowerCase().split(/\s+/);
  const found = names.filter((name) => words.every((word) => name.toLowerCase().includes(word)));
  return names.includes(typed) ? [typed, ...found.filter((name) => name !== typed)] : found;
}

function formatModels(names: readonly string[], current: string): string {
  const lines = names
    .slice(0, MAX_SHOWN)
    .map((name, index) => `${index + 1} ${name}${name === current ? " (now)" : ""}`);
  const more = names.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n");
}
