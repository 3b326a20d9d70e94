import type { UndoableTurn, UndoReport, UndoRequest, UndoScope } from "../ports/checkpoint.ts";
import type { Choice, Dialogue } from "../ports/dialogue.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";

/** Messages offered at once, each with a single key. */
const MAX_OFFERED = 9;
const MAX_SHOWN_FILES = 8;
const SCOPES: readonly UndoScope[] = ["files", "conversation", "both"];

export const undo: SlashCommand = {
  name: "undo",
  argument: { name: "choose|files|conversation" },
  summary: "Undo the last message: its file changes, memories and conversation",
  async run(context, args) {
    const { dialogue, thread } = context;
    const words = args.split(/\s+/).filter((word) => word !== "");
    const scope = SCOPES.find((one) => words.includes(one));
    const turnId = words.find((word) => word !== scope && word !== "choose");
    const wish = words.includes("choose")
      ? await chooseRequest(context, scope)
      : { ...(turnId !== undefined && { turnId }), ...(scope !== undefined && { scope }) };
    if (wish === undefined) return;
    const report = await thread.undo.undo(wish);
    dialogue.success(describe("Undid", report));
    warnAboutUnchanged(dialogue, report);
  },
};

export const redo: SlashCommand = {
  name: "redo",
  summary: "Redo the last /undo",
  async run({ dialogue, thread }) {
    const report = await thread.undo.redo();
    dialogue.success(describe("Redid", report));
    warnAboutUnchanged(dialogue, report);
  },
};

async function chooseRequest(
  { dialogue, thread }: SlashCommandContext,
  scope: UndoScope | undefined,
): Promise<UndoRequest | undefined> {
  const turns = (await thread.undo.turns()).slice(-MAX_OFFERED).reverse();
  if (turns.length === 0) {
    dialogue.info("There is nothing to undo.");
    return undefined;
  }
  const choices = turns.map((turn, index) => ({
    key: String(index + 1),
    label: describeTurn(turn),
  }));
  const answer = await choose(dialogue, "Undo from which message on?", [...choices, CANCEL_CHOICE]);
  const turn = turns[Number(answer.trim()) - 1];
  if (turn === undefined) return undefined;
  const what = scope ?? (await chooseScope(dialogue));
  return what === undefined ? undefined : { turnId: turn.turnId, scope: what };
}

async function chooseScope(dialogue: Dialogue): Promise<UndoScope | undefined> {
  const choices = [
    { key: "b", label: "files, memory and conversation" },
    { key: "f", label: "files" },
    { key: "c", label: "conversation" },
    CANCEL_CHOICE,
  ];
  const answer = (await choose(dialogue, "Undo what?", choices)).trim().toLowerCase();
  return { b: "both" as const, f: "files" as const, c: "conversation" as const }[answer];
}

const CANCEL_CHOICE: Choice = { key: "q", label: "cancel" };

function choose(dialogue: Dialogue, question: string, choices: readonly Choice[]) {
  if (dialogue.choose !== undefined) return dialogue.choose(question, choices);
  const listed = choices.map(({ key, label }) => `[${key}] ${label}`);
  return dialogue.ask(`${question}\n${listed.join("\n")}`);
}

function describeTurn({ text, files, remembered }: UndoableTurn): string {
  const counts = [
    ...(files === 0 ? [] : [files === 1 ? "1 file" : `${files} files`]),
    ...(remembered === 0 ? [] : [inMemory(remembered)]),
  ];
  return `${text.slice(0, 60)}${counts.length === 0 ? "" : ` (${counts.join(", ")})`}`;
}

const inMemory = (count: number): string =>
  `${count} ${count === 1 ? "write" : "writes"} to memory`;

function describe(done: string, report: UndoReport): string {
  const { text, turns, files, remembered, conversation } = report;
  const what = turns === 1 ? `"${text}"` : `${turns} messages from "${text}" on`;
  const changed = files.length === 0 ? "no file was changed" : `files: ${formatFiles(files)}`;
  const memory = remembered === 0 ? "" : `; ${inMemory(remembered)}`;
  return `${done} ${what}; ${changed}${memory}${conversation ? "" : "; the conversation stays"}.`;
}

function warnAboutUnchanged(dialogue: Dialogue, report: UndoReport): void {
  const { notKept, memoryKept, changedAfter = [], outside = false } = report;
  if (memoryKept !== undefined) dialogue.info(`Memory stays unchanged: ${memoryKept}`);
  if (notKept.length > 0) {
    dialogue.info(`Not kept and left unchanged: ${formatFiles(notKept)}.`);
  }
  if (changedAfter.length > 0) {
    dialogue.info(
      "Changed after that message, by a process that it left running or by someone else, and " +
        `left unchanged: ${formatFiles(changedAfter)}.`,
    );
  }
  if (outside) dialogue.info("Effects of its commands outside of the project are not reverted.");
}

function formatFiles(paths: readonly string[]): string {
  const more = paths.length > MAX_SHOWN_FILES ? ` and ${paths.length - MAX_SHOWN_FILES} more` : "";
  return `${paths.slice(0, MAX_SHOWN_FILES).join(", ")}${more}`;
}
