import type { SlashCommand } from "../ports/slash-command.ts";
import { splitPlanGuide } from "./split-plan.prompt.ts";
import { splitPlan } from "./split-plan.ts";

export const plansSplit: SlashCommand = {
  name: "plans split",
  argument: { name: "id", required: "Say which plan, by its number" },
  summary: "Split a plan into tasks; empties the conversation",
  run: (context, args) => splitPlan(context, args, splitPlanGuide),
};
