import { readdir, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { messageOf } from "../../shared/errors.ts";
import { isInside } from "../../shared/is-inside.ts";
import { fence } from "../documents/fence.ts";
import { readTextFile } from "../documents/read-text-file.ts";
import { hashline } from "../edits/hash-line.ts";
import { splitLines } from "../edits/split-lines.ts";
import type { StoredImages } from "../images/picture.ts";
import { isPictureName, type Picture, readPicture } from "../images/picture.ts";
import type { AgentSettings } from "../settings.ts";

/** Limit of one mention, and of all together. */
const MAX_FILE_BYTES = 128 * 1024;
const MAX_TOTAL_BYTES = 512 * 1024;

const MAX_PICTURES = 10;

const MAX_ENTRIES = 300;
/** A message with more is pasted text. */
const MAX_MENTIONS = 200;
const MAX_PATH = 4096;
const MAX_PUNCTUATION = 8;

/** `@path` or `@"path with spaces"` at the start of a word. */
const MENTION = /(?<=^|[\s(["'`])@(?:"([^"\n]+)"|([^\s"]+))/g;
const TRAILING_PUNCTUATION = /[.,;:!?)\]}'"`>*_]$/;

export interface ExpandMentionsOptions {
  readonly text: string;
  readonly projectRoot: string;
  readonly allowOutsideProject?: boolean;
  /** With "hashline", each line has its anchor for an edit. */
  readonly editMode?: AgentSettings["editMode"];
  readonly storedImages?: Pick<StoredImages, "pathOf">;
  /** Reads `@server:uri`; undefined if no server has this name. */
  readonly readResource?: (mention: string) => Promise<MentionedResource | undefined>;
}

export interface MentionedResource {
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface ExpandedMentions {
  readonly text: string;
  readonly included: readonly string[];
  readonly files: readonly string[];
  readonly servers: readonly string[];
  /** One sentence per mention that was cut or refused. */
  readonly warnings: readonly string[];
  readonly pictures: readonly Picture[];
}

export async function expandMentions(options: ExpandMentionsOptions): Promise<ExpandedMentions> {
  const collected: CollectedMentions = {
    blocks: [],
    included: [],
    warnings: [],
    pictures: [],
    seen: new Set(),
    files: [],
    servers: new Set(),
    bytes: 0,
  };
  for (const { word, quoted } of findMentions(options.text)) {
    if (await includePicture(quoted ? [word] : withoutPunctuation(word), options, collected)) {
      continue;
    }
    if (await includeResource(quoted ? [word] : withoutPunctuation(word), options, collected)) {
      continue;
    }
    await includeFirst(quoted ? [word] : withoutPunctuation(word), options, collected);
  }
  const { blocks, files, servers, ...rest } = collected;
  return {
    ...{ text: [options.text, ...blocks].join("\n\n"), files, servers: [...servers] },
    ...{ included: rest.included, warnings: rest.warnings, pictures: rest.pictures },
  };
}

interface CollectedMentions {
  readonly blocks: string[];
  readonly included: string[];
  readonly warnings: string[];
  readonly pictures: Picture[];
  readonly seen: Set<string>;
  readonly files: string[];
  readonly servers: Set<string>;
  bytes: number;
}

function findMentions(
  text: string,
): readonly { readonly word: string; readonly quoted: boolean }[] {
  const mentions = new Map<string, { word: string; quoted: boolean }>();
  for (const [full, quoted, word] of text.matchAll(MENTION)) {
    const path = quoted ?? word ?? "";
    if (path.length > MAX_PATH || mentions.has(full)) continue;
    mentions.set(full, { word: path, quoted: quoted !== undefined });
    if (mentions.size === MAX_MENTIONS) break;
  }
  return [...mentions.values()];
}

/** Yields the word as typed, then without trailing punctuation. */
function withoutPunctuation(word: string): readonly string[] {
  const candidates = [word];
  for (let rest = word; TRAILING_PUNCTUATION.test(rest); ) {
    rest = rest.slice(0, -1);
    candidates.push(rest);
    if (candidates.length > MAX_PUNCTUATION) break;
  }
  return candidates.filter((candidate) => candidate !== "");
}

async function includePicture(
  candidates: readonly string[],
  { storedImages, projectRoot, allowOutsideProject }: ExpandMentionsOptions,
  collected: CollectedMentions,
): Promise<boolean> {
  for (const mention of candidates) {
    const stored = storedImages?.pathOf(mention);
    if (stored === undefined && !isPictureName(mention)) continue;
    const isFree = stored !== undefined || allowOutsideProject === true;
    const path = stored ?? toAbsolute(mention, projectRoot);
    const file = await readPicture(path, isFree ? undefined : projectRoot);
    if (file.kind === "missing") continue;
    if (file.kind === "refused") {
      collected.warnings.push(`@${mention} was not included: ${file.reason}.`);
    } else if (!collected.seen.has(file.realPath)) {
      collected.seen.add(file.realPath);
      if (stored === undefined) collected.files.push(file.realPath);
      if (collected.pictures.length === MAX_PICTURES) {
        collected.warnings.push(
          `@${mention} was not included: a message shows ${MAX_PICTURES} images.`,
        );
        return true;
      }
      collected.included.push(mention);
      collected.pictures.push(file.picture);
      const position = `shown below, number ${collected.pictures.length}`;
      collected.blocks.push(fence("image", position, { path: mention }));
    }
    return true;
  }
  return false;
}

async function includeResource(
  candidates: readonly string[],
  { readResource }: ExpandMentionsOptions,
  collected: CollectedMentions,
): Promise<boolean> {
  if (readResource === undefined || !candidates[0]?.includes(":")) return false;
  let problem: unknown;
  for (const mention of candidates) {
    try {
      const resource = await readResource(mention);
      if (resource === undefined) continue;
      const size = Buffer.byteLength(resource.text);
      const text = resource.text.slice(0, MAX_FILE_BYTES);
      const { attributes } = resource;
      collected.servers.add(mention.split(":", 1)[0] ?? "");
      addBlock(mention, { tag: "resource", text, size, attributes }, collected);
      return true;
    } catch (error) {
      problem ??= error;
    }
  }
  if (problem === undefined) return false;
  collected.warnings.push(`@${candidates[0]} was not included: ${messageOf(problem)}`);
  return true;
}

async function includeFirst(
  candidates: readonly string[],
  options: ExpandMentionsOptions,
  collected: CollectedMentions,
): Promise<void> {
  for (const path of candidates) {
    const file = await readTextFile(toAbsolute(path, options.projectRoot), {
      maxBytes: MAX_FILE_BYTES,
      ...(options.allowOutsideProject !== true && { within: options.projectRoot }),
    });
    if (file.kind === "missing") continue;
    const folder = file.kind === "refused" ? await listFolder(path, options) : undefined;
    if (folder !== undefined) {
      if (!collected.seen.has(folder.realPath)) {
        collected.seen.add(folder.realPath);
        collected.files.push(folder.realPath);
        collected.included.push(path);
        collected.blocks.push(fence("folder", folder.text, { path }));
      }
      return;
    }
    if (file.kind === "refused") {
      collected.warnings.push(`@${path} was not included: ${file.reason}.`);
      return;
    }
    if (collected.seen.has(file.realPath)) return;
    collected.seen.add(file.realPath);
    collected.files.push(file.realPath);
    include(path, options.editMode === "hashline" ? addAnchors(file) : file, collected);
    return;
  }
}

/** Undefined if it is not a folder or is outside of the project. */
async function listFolder(
  path: string,
  { projectRoot, allowOutsideProject }: ExpandMentionsOptions,
): Promise<{ readonly text: string; readonly realPath: string } | undefined> {
  try {
    const realPath = await realpath(toAbsolute(path, projectRoot));
    const isWithin = isInside(await realpath(projectRoot), realPath);
    if (!isWithin && allowOutsideProject !== true) return undefined;
    const entries = await readdir(realPath, { withFileTypes: true });
    const names = entries.map((entry) => entry.name + (entry.isDirectory() ? "/" : "")).sort();
    const left = names.length - MAX_ENTRIES;
    const more = left > 0 ? [`[${left} more]`] : [];
    return { text: [...names.slice(0, MAX_ENTRIES), ...more].join("\n"), realPath };
  } catch {
    return undefined;
  }
}

/** A line that was cut has no anchor: its hash covers the whole line. */
function addAnchors<File extends { readonly text: string; readonly truncated: boolean }>(
  file: File,
): File {
  const lines = splitLines(file.text);
  const full = file.truncated ? lines.slice(0, -1) : lines;
  const rest = file.truncated ? [lines.at(-1)?.text ?? ""] : [];
  const anchored = full.map(({ text }, index) => hashline(text, index + 1));
  return { ...file, text: [...anchored, ...rest].join("\n") };
}

function include(
  path: string,
  file: { readonly text: string; readonly size: number; readonly truncated: boolean },
  collected: CollectedMentions,
): void {
  const attributes = { path, ...(file.truncated && CUT_NOTE) };
  const { text, size } = file;
  if (!addBlock(path, { tag: "file", text, size, attributes }, collected) || !file.truncated)
    return;
  collected.warnings.push(
    `@${path} was cut after ${MAX_FILE_BYTES} of ${file.size} bytes; the rest can be read by tool.`,
  );
}

interface Block {
  readonly tag: string;
  readonly text: string;
  readonly size: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Returns false if the message is full. */
function addBlock(path: string, block: Block, collected: CollectedMentions): boolean {
  const bytes = Math.min(block.size, MAX_FILE_BYTES);
  if (collected.bytes + bytes > MAX_TOTAL_BYTES) {
    collected.warnings.push(
      `@${path} was not included: the files of one message may have ${MAX_TOTAL_BYTES} bytes.`,
    );
    return false;
  }
  collected.bytes += bytes;
  collected.included.push(path);
  collected.blocks.push(fence(block.tag, block.text, block.attributes));
  return true;
}

const CUT_NOTE = { note: `cut after ${MAX_FILE_BYTES} bytes` };

function toAbsolute(path: string, projectRoot: string): string {
  if (path.startsWith("~/")) return join(homedir(), path.slice(2));
  return isAbsolute(path) ? path : resolve(projectRoot, path);
}
