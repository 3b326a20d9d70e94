import { join } from "node:path";
import { messageOf } from "../../shared/errors.ts";
import type { AgentPaths } from "../agent-paths.ts";
import { readFrontmatter, textField } from "../documents/frontmatter.ts";
import { listMarkdownFiles, parseFileName } from "../documents/list-markdown-files.ts";
import { readTextFile } from "../documents/read-text-file.ts";

const MAX_COMMAND_BYTES = 256 * 1024;
const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

export interface CustomPrompt {
  readonly name: string;
  readonly description: string | undefined;
  /** `{input}` stands for the arguments. */
  readonly prompt: string;
  readonly path: string;
}

export interface LoadedCustomPrompts {
  readonly commands: readonly CustomPrompt[];
  /** One sentence per file that was skipped. */
  readonly warnings: readonly string[];
}

/**
 * Loads commands of the project, if trusted, then of the user; the first of a name wins. Names in
 * `builtIn` are reserved.
 */
export async function loadCustomPrompts(
  locations: AgentPaths,
  builtIn: ReadonlySet<string>,
): Promise<LoadedCustomPrompts> {
  const commands = new Map<string, CustomPrompt>();
  const warnings: string[] = [];
  const inProject = await listMarkdownFiles(join(locations.projectRoot, ".cairn", "commands"));
  const ofUser = await listMarkdownFiles(join(locations.userConfigDir, "commands"));
  const trusted = locations.trustsCommands === false ? [] : inProject;
  if (trusted.length < inProject.length) warnings.push(untrustedWarning(inProject));
  for (const path of [...trusted, ...ofUser]) {
    const within = inProject.includes(path) ? locations.projectRoot : undefined;
    const read = await readCommand(path, within, builtIn);
    if (typeof read === "string") warnings.push(read);
    else if (!commands.has(read.name)) commands.set(read.name, read);
  }
  return { commands: [...commands.values()], warnings };
}

function untrustedWarning(paths: readonly string[]): string {
  const names = paths.map((path) => `/${parseFileName(path)}`).join(", ");
  return `The commands of this project (${names}) were ignored: it is not trusted. \`cairn trust\` shows and accepts them.`;
}

/** Replaces each `{input}` literally; without one, appends `args`. */
export function expandCustomPrompt(command: CustomPrompt, args: string): string {
  if (command.prompt.includes("{input}")) return command.prompt.split("{input}").join(args);
  return args === "" ? command.prompt : `${command.prompt}\n\n${args}`;
}

async function readCommand(
  path: string,
  within: string | undefined,
  builtIn: ReadonlySet<string>,
): Promise<CustomPrompt | string> {
  const ignoredMessage = (reason: string) => `The command ${path} was ignored: ${reason}.`;
  const name = parseFileName(path).toLowerCase();
  if (!NAME_PATTERN.test(name)) {
    return ignoredMessage(
      "its name may only contain letters, digits, dots, dashes and underscores",
    );
  }
  if (builtIn.has(name))
    return ignoredMessage(`/${name} is a built-in command; give it another name`);
  const limits = { maxBytes: MAX_COMMAND_BYTES };
  const file = await readTextFile(path, within === undefined ? limits : { ...limits, within });
  if (file.kind === "missing") return ignoredMessage("it is a broken symbolic link");
  if (file.kind === "refused") return ignoredMessage(file.reason);
  if (file.truncated) return ignoredMessage(`it is larger than ${MAX_COMMAND_BYTES} bytes`);
  try {
    const document = readFrontmatter(file.text);
    const prompt = document?.body ?? file.text.trim();
    if (prompt === "") return ignoredMessage("it is empty");
    const description = document === undefined ? undefined : textField(document, "description");
    return { name, description, prompt, path };
  } catch (error) {
    return ignoredMessage(messageOf(error));
  }
}
