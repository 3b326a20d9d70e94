import type { SlashCommand } from "./slash-command.ts";
import { microsplitPlanGuide } from "./split-plan.prompt.ts";
import { splitPlan } from "./split-plan.ts";

export const plansMicrosplit: SlashCommand = {
  name: "plans microsplit",
  usage: "<id>",
  summary: "Like /plans split, in steps for a small model, with the code it needs",
  run: (context, args) => splitPlan(context, args, microsplitPlanGuide),
};
