import type { Client } from "./client.ts";
import { geminiForm } from "./gemini-form.ts";
import { blockedStop } from "./hook-answers.ts";

const form = geminiForm(".qwen", {
  prompt: "UserPromptSubmit",
  // Before a call an answer needs a decision on it as well, which is not cairn's to take.
  tool: "PostToolUse",
  compact: "PreCompact",
  stop: "Stop",
  "session-end": "SessionEnd",
});

/** A fork of Gemini CLI whose hooks are called as in Claude Code. */
export const qwen: Client = {
  name: "qwen",
  title: "Qwen Code",
  programs: ["qwen"],
  ...form,
  hooks: { ...form.hooks, goOn: blockedStop, startsWithPrompt: true },
};
