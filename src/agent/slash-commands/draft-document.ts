import { mkdir, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { stringify } from "yaml";
import { invalidInput } from "../../shared/errors.ts";
import { type NamedDocument, parseNamedDocument } from "../documents/parse-named-document.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";
import { readOnlyTools } from "../tools/read-only-tools.ts";
import { draftUntilAccepted } from "./draft-until-accepted.ts";
import { withMentions } from "./with-mentions.ts";

export interface DocumentKind {
  /** `skill` */
  readonly noun: string;
  /** Added to the system prompt while it is drafted. */
  readonly guide: string;
  /** Absolute path of the file for a name made of lower-case letters, digits and dashes. */
  pathFor(projectRoot: string, name: string): string;
}

/** Drafts a skill or a subagent with the agent, saves it, and lets the thread know of it. */
export async function draftDocument(
  context: SlashCommandContext,
  kind: DocumentKind,
  args: string,
): Promise<void> {
  const { dialogue, projectRoot, settings, thread } = context;
  const wish = args || (await dialogue.ask(`What is the ${kind.noun} for?`));
  const request = await withMentions(context, wish);
  const draft = await thread.withSeparateHistory(() =>
    draftUntilAccepted(context, {
      request,
      turn: { tools: readOnlyTools(settings), systemAddition: kind.guide },
      words: { accept: "save", revise: "revise" },
      parse: (answer) => readDraft(answer, kind.noun),
      preview: (document) => `${capitalised(kind.noun)}: ${document.name}\n${document.description}`,
    }),
  );
  if (draft === undefined) return;
  const path = await save(draft, (name) => kind.pathFor(projectRoot, name));
  await thread.reloadSystemPrompt();
  dialogue.success(`The ${kind.noun} was saved as ${relative(projectRoot, path)}.`);
}

function readDraft(answer: string, noun: string): NamedDocument {
  const document = parseNamedDocument(answer, noun);
  if (document !== undefined) return document;
  throw invalidInput(
    `The draft of the ${noun} cannot be read: it has no frontmatter with name and description.`,
  );
}

/** Under the draft's name, or with a number behind it where that is taken. */
async function save(draft: NamedDocument, pathFor: (name: string) => string): Promise<string> {
  const base = fileName(draft.name);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    const path = pathFor(name);
    await mkdir(dirname(path), { recursive: true });
    const frontmatter = stringify({ name, description: draft.description }, { lineWidth: 0 });
    if (await writeNew(path, `---\n${frontmatter}---\n\n${draft.body}\n`)) return path;
  }
}

async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function capitalised(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}

function fileName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain.slice(0, 64) || "untitled";
}
