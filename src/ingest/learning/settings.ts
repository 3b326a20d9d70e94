import { z } from "zod";
import { withTrust } from "../../shared/fields.ts";
import { ACCEPTANCES } from "./judge-claim.ts";

export const learnSettings = withTrust(
  z.strictObject({
    accept: z
      .enum(ACCEPTANCES)
      .default("auto")
      .describe(
        "auto: stores the user's statements and proposes the rest. ask: proposes everything.",
      ),
    with: z
      .union([z.enum(["rules", "provider"]), z.array(z.string().min(1)).min(1)])
      .default("rules")
      .describe(
        'Extractor used in addition to the rules, by `cairn learn` and in the background at session start: "provider" (the model of the agent), or a command that reads a prompt from stdin and prints the response, such as ["ollama", "run", "qwen3"].',
      ),
    budget: z
      .int()
      .min(0)
      .default(200_000)
      .describe("Approximate tokens per day for it, on this machine."),
  }),
  { accept: "trusted", with: "trusted", budget: "trusted" },
);
