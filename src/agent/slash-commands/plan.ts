import { messageOf } from "../../shared/errors.ts";
import { parseNamedDocument } from "../documents/parse-named-document.ts";
import type { TurnResult } from "../ports/events.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { addPlan, type PlanDraft } from "../tasks/plan-store.ts";
import type { AskUser } from "../tools/ask-user.ts";
import { askInOrder, formatQuestion } from "../tools/ask-user.ts";
import { readOnlyTools } from "../tools/read-only-tools.ts";
import { askForReview, choose, isPlanExit, withMentions } from "./review.ts";

/** Outside of a discussion; within one, the flow reads it. */
export const planExit: SlashCommand = {
  name: "plan exit",
  exact: true,
  summary: "Leave plan mode",
  async run({ dialogue }) {
    dialogue.info("No plan is open.");
  },
};

const planDiscussion = `# Now: make a plan together with the user

You discuss how to build something. Change nothing: your tools are read-only. Explore the project first, so that you ask only what it cannot answer.
Use \`ask_user\` for decisions of the user, one question at a time, with your recommendation and its reason. Two or three good questions are usually enough.
When you know enough, reply with only the plan, in this form:

---
name: a short name
description: one sentence
---

The approach in Markdown: the goal, the changes (files, functions, data) in order, the risks and the verification. Write it for a reader who has not seen this conversation.

If the user requests changes to the plan, reply with the complete new document.`;

export const plan: SlashCommand = {
  name: "plan",
  argument: { name: "topic" },
  summary: "Discuss a plan with the agent and save it; /plan exit cancels",
  async run(context, args) {
    const topic =
      args || (await context.dialogue.ask("What do you want to plan? (/plan exit cancels)"));
    const draft = isPlanExit(topic)
      ? undefined
      : await context.thread.withSeparateHistory(() => discussPlan(context, topic));
    if (draft === undefined) {
      context.dialogue.info("Left the plan: nothing was saved.");
      return;
    }
    const saved = await addPlan(context.projectRoot, draft, context.clock);
    context.dialogue.success(
      `Plan ${saved.id} saved: ${saved.name}. /plans split ${saved.id} splits it into tasks.`,
    );
  },
};

async function discussPlan(
  context: SlashCommandContext,
  topic: string,
): Promise<PlanDraft | undefined> {
  const { dialogue } = context;
  let message = topic;
  for (;;) {
    const turn = await planTurn(context, await withMentions(context, message));
    context.signal.throwIfAborted();
    if (turn.outcome !== "completed") return undefined;
    const draft = readPlan(context, turn.text);
    if (draft === undefined) {
      message = await dialogue.ask("Reply to continue with the plan, or /plan exit to leave.");
      if (isPlanExit(message)) return undefined;
      continue;
    }
    dialogue.info(`Plan: ${draft.name}\n${draft.description}`);
    const review = await askForReview(dialogue, { accept: "save", revise: "refine" });
    if (review.kind === "accept") return draft;
    if (review.kind === "abandon") return undefined;
    message = review.text;
  }
}

function readPlan({ dialogue }: SlashCommandContext, text: string): PlanDraft | undefined {
  try {
    const document = parseNamedDocument(text, "plan");
    if (document === undefined) return undefined;
    const { name, description, body: approach } = document;
    return { name, description, approach };
  } catch (error) {
    dialogue.error(messageOf(error), "invalid_input");
    return undefined;
  }
}

async function planTurn(context: SlashCommandContext, message: string): Promise<TurnResult> {
  const leaving = new AbortController();
  const ask: AskUser = async (question, choices) => {
    leaving.signal.throwIfAborted();
    const reply = await choose(context.dialogue, formatQuestion(question, choices), choices);
    if (!isPlanExit(reply)) return reply;
    leaving.abort(new Error("The user left the plan."));
    throw leaving.signal.reason;
  };
  return context.thread.runTurn(message, {
    tools: readOnlyTools(context.settings, ["ask_user"]),
    systemAddition: planDiscussion,
    signal: leaving.signal,
    askUser: askInOrder(ask),
  });
}
