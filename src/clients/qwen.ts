import type { Client } from "./client.ts";
import { blockedStop, geminiForm } from "./hook-answers.ts";

const form = geminiForm(".qwen", {
  prompt: "UserPromptSubmit",
  tool: "PostToolUse",
  compact: "PreCompact",
  stop: "Stop",
  "session-end": "SessionEnd",
});

export const qwen: Client = {
  name: "qwen",
  title: "Qwen Code",
  programs: ["qwen"],
  ...form,
  hooks: { ...form.hooks, goOn: blockedStop, startsWithPrompt: true },
};
