import type { SlashCommand } from "../ports/slash-command.ts";
import { microsplitPlanGuide } from "./split-plan.prompt.ts";
import { splitPlan } from "./split-plan.ts";

export const plansMicrosplit: SlashCommand = {
  name: "plans microsplit",
  argument: { name: "id", required: "Say which plan, by its number" },
  summary: "The same in small steps, with code, for a small model",
  run: (context, args) => splitPlan(context, args, microsplitPlanGuide),
};
