import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { stringify } from "yaml";
import { invalidInput } from "../../shared/errors.ts";
import { type NamedDocument, parseNamedDocument } from "../documents/parse-named-document.ts";
import { loadSkills } from "../files/load-skills.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { readOnlyTools } from "../tools/read-only-tools.ts";
import { draftUntilAccepted, withMentions } from "./review.ts";

export const skills: SlashCommand = {
  name: "skills",
  summary: "List the skills that the agent can read",
  async run(context) {
    const loaded = await loadSkills(context);
    const lines = loaded.skills.map((skill) => {
      const path = skill.source === "user" ? skill.path : relative(context.projectRoot, skill.path);
      return `${skill.name}: ${skill.description} (${path})`;
    });
    if (lines.length === 0) {
      context.dialogue.info("There are no skills yet. /create-skill has the agent write one.");
    } else context.dialogue.print(lines.join("\n"));
    for (const warning of loaded.warnings) context.dialogue.info(warning);
  },
};

const skillGuide = `# Now: write a skill

A skill is a markdown file that an agent reads when a task fits its description. Explore the project as far as the skill requires; your tools are read-only. Then reply with the file and nothing else:

---
name: lower-case-with-dashes
description: one sentence that says what it does and when to use it
---

The instructions: the steps with the exact commands and paths of this project, pitfalls, and how to verify the result. Be brief; omit what every agent knows.

If the user requests changes, reply with the complete new file.`;

const subagentGuide = `# Now: write a subagent

A subagent is a role for a self-contained piece of work: it starts without this conversation, gets one prompt and returns its last message. Explore the project as far as the role requires; your tools are read-only. Then reply with the file and nothing else:

---
name: lower-case-with-dashes
description: one sentence that says which work to delegate to it
---

The role, addressed to the subagent: its purpose, what it pays attention to, how it works and what its reply contains.

If the user requests changes, reply with the complete new file.`;

export const createSubagent: SlashCommand = {
  name: "create-subagent",
  argument: { name: "what for" },
  summary: "Draft a subagent and save it in .cairn/subagents",
  run: (context, args) =>
    draftDocument(
      context,
      {
        noun: "subagent",
        guide: subagentGuide,
        pathFor: (root, name) => join(root, ".cairn", "subagents", `${name}.md`),
      },
      args,
    ),
};

export const createSkill: SlashCommand = {
  name: "create-skill",
  argument: { name: "what for" },
  summary: "Draft a skill and save it in .cairn/skills",
  run: (context, args) =>
    draftDocument(
      context,
      {
        noun: "skill",
        guide: skillGuide,
        pathFor: (root, name) => join(root, ".cairn", "skills", name, "SKILL.md"),
      },
      args,
    ),
};

interface DocumentKind {
  readonly noun: string;
  readonly guide: string;
  pathFor(projectRoot: string, name: string): string;
}

async function draftDocument(
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
    `The draft of the ${noun} is invalid: its frontmatter needs a name and a description.`,
  );
}

async function save(draft: NamedDocument, pathFor: (name: string) => string): Promise<string> {
  const base = fileName(draft.name);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    const path = pathFor(name);
    await mkdir(dirname(path), { recursive: true });
    const frontmatter = stringify({ name, description: draft.description }, { lineWidth: 0 });
    if (await createFile(path, `---\n${frontmatter}---\n\n${draft.body}\n`)) return path;
  }
}

async function createFile(path: string, text: string): Promise<boolean> {
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
