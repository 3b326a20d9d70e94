import { invalidInput } from "../../kernel/errors.ts";
import { fencedBlocks } from "./find-json.ts";
import { readFrontmatter, textField } from "./frontmatter.ts";

/** A markdown document whose frontmatter names and describes it. */
export interface NamedDocument {
  /** One line. */
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/**
 * The named document in a model's answer: alone, after some sentences, or in a fenced block.
 * Undefined when the answer holds none (it goes on with the discussion); throws invalid_input,
 * calling it `noun`, when there is one that cannot be used.
 */
export function parseNamedDocument(text: string, noun: string): NamedDocument | undefined {
  let problem: unknown;
  for (const candidate of candidates(text)) {
    try {
      const draft = readDocument(candidate, noun);
      if (draft !== undefined) return draft;
    } catch (error) {
      problem ??= error;
    }
  }
  if (problem !== undefined) throw problem;
  return undefined;
}

/** The text from each line `---` on; inside a fence that ends with it, without the fence. */
function candidates(text: string): readonly string[] {
  const normal = text.replace(/\r\n?/g, "\n");
  const fenced = fencedBlocks(normal).filter((block) => /^\s*---[ \t]*\n/.test(block));
  const starts = Array.from(normal.matchAll(/^---[ \t]*$/gm), (match) => match.index);
  const unclosedFence = (start: number) =>
    /(^|\n)(`{3,})[^\n`]*\n\s*$/.exec(normal.slice(0, start));
  return [
    ...starts.map((start) => {
      const fence = unclosedFence(start)?.[2];
      const document = normal.slice(start);
      return fence === undefined ? document : withoutClosingFence(document, fence);
    }),
    ...fenced.map((block) => block.trimStart()),
  ];
}

/** A document may hold fenced code itself, so the fence around it is the last one. */
function withoutClosingFence(document: string, fence: string): string {
  const end = document.lastIndexOf(`\n${fence}`);
  return end === -1 ? document : document.slice(0, end);
}

function readDocument(text: string, noun: string): NamedDocument | undefined {
  const document = readFrontmatter(text);
  if (document === undefined) return undefined;
  const name = textField(document, "name");
  const description = textField(document, "description");
  if (name === undefined && description === undefined) return undefined;
  if (name === undefined) throw invalidInput(`The frontmatter of the ${noun} has no name.`);
  if (description === undefined) {
    throw invalidInput(`The frontmatter of the ${noun} has no description.`);
  }
  if (document.body === "") throw invalidInput(`The ${noun} has no text below its frontmatter.`);
  return { name: name.replace(/\s+/g, " "), description, body: document.body };
}
