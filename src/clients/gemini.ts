import type { Client } from "./client.ts";
import { geminiForm } from "./gemini-form.ts";

const form = geminiForm(".gemini", {
  "session-start": "SessionStart",
  prompt: "BeforeAgent",
  tool: "AfterTool",
  compact: "PreCompress",
  stop: "AfterAgent",
  "session-end": "SessionEnd",
});

export const gemini: Client = {
  name: "gemini",
  title: "Gemini CLI",
  programs: ["gemini"],
  ...form,
  hooks: { ...form.hooks, compactsAtEachRequest: true },
};
