import { invalidInput } from "../../shared/errors.ts";
import { readFrontmatter, textField } from "./frontmatter.ts";

export interface NamedDocument {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** Undefined without a document; throws invalid_input, calling it `noun`, if it is invalid. */
export function parseNamedDocument(text: string, noun: string): NamedDocument | undefined {
  let problem: unknown;
  for (const candidate of findCandidates(text)) {
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

/** Documents start near the beginning of an answer. */
const MAX_STARTS = 50;

/** Yields the text from each line `---`; within a fence, up to its end. */
function* findCandidates(text: string): Generator<string> {
  const normal = text.replace(/\r\n?/g, "\n");
  let starts = 0;
  for (const match of normal.matchAll(/^---[ \t]*$/gm)) {
    starts += 1;
    if (starts > MAX_STARTS) return;
    const document = normal.slice(match.index);
    const fence = findOpeningFence(normal, match.index);
    yield fence === undefined ? document : withoutClosingFence(document, fence);
  }
}

function findOpeningFence(text: string, start: number): string | undefined {
  const before = text.slice(Math.max(0, start - 200), start).trimEnd();
  return /^[ \t]*(`{3,}|~{3,})/.exec(before.split("\n").at(-1) ?? "")?.[1];
}

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
