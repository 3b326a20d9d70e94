import { HIDDEN_LABEL, type Memory } from "../../memory/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { ShownMemory } from "../ports/events.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { requireWritableMemory } from "./remember.ts";

const USAGE_HINT =
  "Enter a memory and its correction: `1 we use pnpm`. `1 forget` deletes it, `1 not here` stores it but no longer shows it unprompted.";

export const wrong: SlashCommand = {
  name: "wrong",
  argument: { name: "ep:N correction" },
  summary: "Correct, forget or hide a memory that was shown",
  async run(context, args) {
    const memory = requireWritableMemory(context);
    const { dialogue, thread } = context;
    const reported = thread.shownMemories();
    const text = args.trim();
    if (text === "" && reported.length === 0) {
      dialogue.info("No memory has been shown yet. Usage: /wrong ep:12 CORRECTION");
      return;
    }
    const lines = reported.map(({ id, text }, at) => `${at + 1}. ${text} (${id})`);
    const answer = text === "" ? await dialogue.ask([...lines, USAGE_HINT].join("\n")) : text;
    if (answer.trim() === "") return dialogue.info("Nothing was changed.");
    await applyCorrection(context, memory, parseCorrection(answer, reported));
  },
};

interface Correction {
  readonly id: string;
  readonly what: "forget" | "silence" | "replace";
  readonly text: string;
}

/** Throws invalid_input. */
function parseCorrection(answer: string, reported: readonly ShownMemory[]): Correction {
  const [, which = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(answer.trim()) ?? [];
  const numbered = /^\d+[.)]?$/.test(which) ? reported[Number.parseInt(which, 10) - 1]?.id : which;
  if (numbered === undefined || !/^(?:ep|passage):\d+$|^c[0-9a-z]{16}$/.test(numbered)) {
    throw invalidInput(`"${which}" is not a memory that was shown. ${USAGE_HINT}`);
  }
  const text = rest.trim();
  if (/^forget$/i.test(text)) return { id: numbered, what: "forget", text: "" };
  if (/^not here$/i.test(text)) return { id: numbered, what: "silence", text: "" };
  if (text === "") throw invalidInput(`Enter the correction after ${which}. ${USAGE_HINT}`);
  return { id: numbered, what: "replace", text: text };
}

async function applyCorrection(
  context: SlashCommandContext,
  memory: Memory,
  request: Correction,
): Promise<void> {
  const { dialogue, signal, thread } = context;
  const { id, what } = request;
  if (id.startsWith("passage:") && what !== "replace") {
    throw invalidInput(
      `${id} was said in a session: \`cairn purge ${id}\` removes it permanently.`,
    );
  }
  let change = "";
  const op = await createOps(memory, request, signal);
  const { results } = await memory.execute(
    "apply",
    { changeset: JSON.stringify(op) },
    {
      ...{ signal, session: thread.threadId, surface: "agent" },
      onChange: (created) => {
        change = created;
      },
    },
  );
  const back = `Undo with \`cairn undo ${change}\`.`;
  if (what === "forget") dialogue.success(`Forgot ${id}. ${back}`);
  else if (what === "silence") dialogue.success(`${id} is no longer shown unprompted. ${back}`);
  else dialogue.success(`${results[0]?.id} replaces ${id}. ${back}`);
}

async function createOps(
  memory: Memory,
  { id, what, text }: Correction,
  signal: AbortSignal,
): Promise<readonly object[]> {
  if (what === "forget") return [{ op: "delete", id }];
  if (what === "silence") return [{ op: "label", id, ...HIDDEN_LABEL }];
  const message = { content: text, asserted_by: "user", source_type: "capture" };
  if (id.startsWith("passage:")) {
    return [{ op: "remember", ...message, episode_type: "decision", source_ref: id }];
  }
  if (!id.startsWith("ep:")) return [{ op: "update", id, summary: text }];
  const old = await memory.execute("get_episode", { episode_id: id }, { signal });
  const { episode_type: type, entities } = old;
  const stored = { ...message, episode_type: type, ...(entities.length > 0 && { entities }) };
  const created = { op: "remember", as: "right", ...stored };
  return CLAIM_TYPES.includes(type)
    ? [created, { op: "supersede", old: id, new: "$right", note: text }]
    : [created, { op: "delete", id }];
}

const CLAIM_TYPES = ["fact", "decision", "preference"];
