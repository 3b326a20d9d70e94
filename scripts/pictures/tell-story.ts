import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * A session in one client, and the text that another client's agent receives with a prompt days
 * later.
 */
export interface Story {
  readonly session: readonly { readonly by: "user" | "assistant"; readonly text: string }[];
  readonly prompt: string;
  /** Lines that the hook adds to the prompt. */
  readonly given: readonly string[];
}

const SESSION = resolve(import.meta.dirname, "../../examples/a-decision/monday.jsonl");
const PROMPT = "A customer says the sum on the credit note differs from the lines. Please fix it.";

/**
 * Plays the story with the real program in a temporary folder: Claude Code's hooks record the
 * session, and Codex's hook handles the prompt.
 */
export function tellStory(program: string): Story {
  const path = mkdtempSync(join(tmpdir(), "cairn-story-"));
  try {
    const [home, project] = [join(path, "home"), join(path, "invoices")];
    for (const folder of [home, project]) mkdirSync(folder);
    const transcript = join(path, "monday.jsonl");
    cpSync(SESSION, transcript);
    const hook = (client: string, event: string, input: object) =>
      execFileSync(process.execPath, [program, "hook", client, event, "--timeout", "60000"], {
        cwd: project,
        env: { PATH: process.env.PATH, HOME: home, CAIRN_DAEMON: "off", TZ: "UTC" },
        input: JSON.stringify({ cwd: project, ...input }),
        encoding: "utf8",
      });
    const monday = { session_id: "monday", transcript_path: transcript };
    for (const event of ["session-start", "stop", "session-end"]) {
      hook("claude-code", event, monday);
    }
    const printed = hook("codex", "prompt", { session_id: "thursday", prompt: PROMPT });
    return { session: turnsOf(transcript), prompt: PROMPT, given: givenIn(printed) };
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

function turnsOf(transcript: string): Story["session"] {
  const lines = readFileSync(transcript, "utf8").trim().split("\n");
  return lines.map((line) => {
    const { type, message } = JSON.parse(line);
    const { content } = message;
    return { by: type, text: typeof content === "string" ? content : content[0].text };
  });
}

function givenIn(printed: string): string[] {
  if (printed === "") throw new Error("The hook printed nothing.");
  return JSON.parse(printed).hookSpecificOutput.additionalContext.split("\n");
}
