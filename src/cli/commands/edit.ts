import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { MemoryEngine } from "../../memory/index.ts";
import { OWNER } from "../../shared/caller.ts";
import { invalidInput, StaleWrite } from "../../shared/errors.ts";
import { runProgramSync } from "../../shared/programs.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { withMemory } from "../command-line.ts";
import { completeId } from "../complete-ids.ts";
import { EXIT } from "../exit-code.ts";

export const edit: CliCommand = {
  name: "edit",
  reader: "person",
  summary: "Edit an episode or a concept in your editor",
  group: "Corrections",
  shelf: "everyday",
  example: "EDITOR=nano cairn edit ep:3",
  configure(command) {
    command.argument("<id>", "an episode or a concept");
  },
  run: (line, [written = ""], options) =>
    withMemory(line, options, async (memory) => {
      const editor = line.env.VISUAL || line.env.EDITOR || "vi";
      requireTerminal(line, editor);
      const id = await completeId(memory, written);
      const draft = await loadDraft(memory, id);
      const edited = editText(await formatDraft(draft), editor);
      const changes = await parseChanges(draft, edited);
      if (Object.keys(changes).length === 0) {
        line.stdout.write("Nothing was changed.\n");
        return EXIT.ok;
      }
      const input = { id, if_match: draft.version, ...changes };
      try {
        await memory.executeNamed("update", input, { caller: OWNER, surface: "cli" });
      } catch (error) {
        if (!(error instanceof StaleWrite)) throw error;
        const current = await formatDraft(await loadDraft(memory, id));
        line.stderr.write(
          `${id} was changed by someone else while you edited it; nothing was written.\n\n--- theirs\n${current}\n--- yours\n${edited}`,
        );
        return EXIT.failed;
      }
      line.stdout.write(`Updated ${id}. Revert with \`cairn undo\`.\n`);
      return EXIT.ok;
    }),
};

/** Terminal editors, which hang without a terminal. */
const TERMINAL_EDITORS = /^(?:vim?|nvim|view|nano|pico|joe|ne|mcedit|micro|hx|helix|kak|emacs)$/;

function requireTerminal({ stdin, stdout }: CommandLine, editor: string): void {
  const [program = ""] = editor.trim().split(/\s+/);
  const isTerminal = stdin.isTTY === true && (stdout as NodeJS.WriteStream).isTTY === true;
  if (isTerminal || !TERMINAL_EDITORS.test(basename(program))) return;
  throw invalidInput(
    `${program} needs a terminal. Use \`cairn episode update\` or \`cairn concept update\`, or set EDITOR to a program that works without one.`,
  );
}

interface Draft {
  readonly version: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: "content" | "summary";
  readonly text: string;
}

async function loadDraft(memory: MemoryEngine, id: string): Promise<Draft> {
  const version = await memory.versionOf(id);
  if (id.startsWith("ep:")) {
    const row = await memory.execute("get_episode", { episode_id: id });
    const labels = row.labels.map(({ key, value }) => `${key}=${value}`);
    const fields = { entities: row.entities, labels, priority: row.priority ?? "" };
    return { version, fields, body: "content", text: row.content };
  }
  const row = await memory.execute("get_concept", { concept_id: id });
  const labels = row.labels.map(({ key, value }) => `${key}=${value}`);
  const fields = { title: row.title, confidence: row.confidence, tags: row.tags, labels };
  return { version, fields, body: "summary", text: row.summary };
}

async function formatDraft({ fields, text }: Draft): Promise<string> {
  const { stringify } = await import("../render/front-matter.ts");
  return `---\n${stringify(fields)}---\n${text}\n`;
}

function editText(text: string, editor: string): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-edit-"));
  try {
    const file = join(folder, "memory.md");
    writeFileSync(file, text, { mode: 0o600 });
    // The variable may contain arguments, as in `code --wait`.
    const { status, error } = runProgramSync("sh", ["-c", `${editor} "$1"`, "sh", file], {
      stdio: "inherit",
    });
    if (error !== undefined || status !== 0) {
      throw invalidInput(`EDITOR: "${editor}" failed; nothing was changed`);
    }
    return readFileSync(file, "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function parseChanges(draft: Draft, written: string): Promise<Record<string, unknown>> {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(written);
  if (match === null)
    throw invalidInput("The text must keep the two lines `---` around its fields");
  const [, head = "", body = ""] = match;
  const fields = await readFields(head);
  const changes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!(name in draft.fields)) {
      throw invalidInput(
        `${name}: cannot be set here; ${Object.keys(draft.fields).join(", ")} can`,
      );
    }
    if (JSON.stringify(value) !== JSON.stringify(draft.fields[name])) changes[name] = value ?? "";
  }
  const text = body.replace(/\r?\n$/, "");
  if (text !== draft.text) changes[draft.body] = text;
  return changes;
}

async function readFields(head: string): Promise<Record<string, unknown>> {
  const { parse } = await import("../render/front-matter.ts");
  try {
    return (parse(head) ?? {}) as Record<string, unknown>;
  } catch (error) {
    throw invalidInput(`The fields are not YAML: ${String(error)}`);
  }
}
