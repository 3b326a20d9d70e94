import { z } from "zod";
import { withTrust } from "../../shared/fields.ts";
import { ACCEPTANCES } from "./gate.ts";

export const learnSettings = withTrust(
  z.strictObject({
    accept: z
      .enum(ACCEPTANCES)
      .default("auto")
      .describe(
        "auto: what a person said is kept by itself, the rest waits as a proposal. ask: everything waits as a proposal.",
      ),
    with: z
      .union([z.enum(["rules", "provider"]), z.array(z.string().min(1)).min(1)])
      .default("rules")
      .describe(
        'Who looks through sessions besides the rules, with `cairn learn` and in the background when a session starts: "provider" (the model of the agent), or a program and its arguments that reads a question on stdin and prints the answer, such as ["ollama", "run", "qwen3"].',
      ),
    remind: z
      .boolean()
      .default(false)
      .describe(
        "At the end of a turn that settled something of which nothing was kept, ask the working agent to keep it, in clients whose stop hook can: Claude Code, Codex, Qwen Code, Cursor.",
      ),
    budget: z
      .int()
      .min(0)
      .default(200_000)
      .describe("About so many tokens a day may be asked of it, on this machine."),
  }),
  { accept: "trusted", with: "trusted", remind: "trusted", budget: "trusted" },
);
