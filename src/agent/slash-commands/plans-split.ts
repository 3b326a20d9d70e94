import type { SlashCommand } from "../ports/slash-command.ts";
import { splitPlanGuide } from "./split-plan.prompt.ts";
import { splitPlan } from "./split-plan.ts";

export const plansSplit: SlashCommand = {
  name: "plans split",
  usage: "<id>",
  summary: "Split a plan into tasks; empties the conversation",
  run: (context, args) => splitPlan(context, args, splitPlanGuide),
};
