import type { Client } from "./client.ts";
import { geminiForm } from "./hook-answers.ts";

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
  hooks: { ...form.hooks, startsWithPrompt: true },
};
