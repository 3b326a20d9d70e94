import { createReadStream } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { basename, extname, join, relative } from "node:path";
import { fileReason, invalidInput } from "../../shared/errors.ts";
import { decodeText } from "./formats/decode-text.ts";

/** Maximum size of a source read into memory; line-based sources may be larger. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_FILES = 100_000;
const PEEK_BYTES = 64 * 1024;
const SKIPPED_FOLDERS = new Set([".git", "node_modules", ".obsidian", ".trash", "logseq"]);

export interface ImportInput {
  readonly name: string;
  /** Displayed path, relative to the given folder, with `/`. */
  readonly label: string;
  readonly path: string | undefined;
  readonly isFolder: boolean;
  /** Modification time in ISO format; files only. */
  readonly modifiedAt: string | undefined;
  peek(): Promise<Uint8Array>;
  /** Throws `invalid_input` above 512 MiB or if the file cannot be read. */
  bytes(): Promise<Uint8Array>;
  chunks(): AsyncIterable<Uint8Array>;
  /**
   * Returns regular files at any depth with one of these extensions, sorted by path. Does not
   * follow symbolic links.
   */
  files(endings: readonly string[]): Promise<readonly ImportInput[]>;
  has(name: string): Promise<boolean>;
}

export async function openImportInput(path: string, root?: string): Promise<ImportInput> {
  const stat = await lstat(path).catch((error: unknown) => {
    throw unreadableError(path, error);
  });
  if (!stat.isFile() && !stat.isDirectory()) {
    throw invalidInput(
      `file: ${path} is neither a regular file nor a folder; links and devices are not supported`,
    );
  }
  const label = root === undefined ? basename(path) : relative(root, path).replaceAll("\\", "/");
  return new DiskInput(path, { label, isFolder: stat.isDirectory(), modifiedAt: stat.mtime });
}

export function createImportInput(bytes: Uint8Array, name = "stdin"): ImportInput {
  return {
    name,
    label: name,
    path: undefined,
    isFolder: false,
    modifiedAt: undefined,
    peek: () => Promise.resolve(bytes.subarray(0, PEEK_BYTES)),
    bytes: () => Promise.resolve(bytes),
    async *chunks() {
      yield bytes;
    },
    files: () => Promise.resolve([]),
    has: () => Promise.resolve(false),
  };
}

export async function peekText(input: ImportInput): Promise<string> {
  const bytes = await input.peek();
  return new TextDecoder().decode(bytes).replace(/^\uFEFF/, "");
}

export async function readText(input: ImportInput): Promise<string> {
  return decodeText(await input.bytes(), input.label);
}

class DiskInput implements ImportInput {
  readonly name: string;
  readonly label: string;
  readonly path: string;
  readonly isFolder: boolean;
  readonly modifiedAt: string;

  constructor(path: string, facts: { label: string; isFolder: boolean; modifiedAt: Date }) {
    this.path = path;
    this.name = basename(path);
    this.label = facts.label;
    this.isFolder = facts.isFolder;
    this.modifiedAt = facts.modifiedAt.toISOString();
  }

  async peek(): Promise<Uint8Array> {
    if (this.isFolder) return new Uint8Array();
    const handle = await open(this.path, "r").catch((error: unknown) => {
      throw unreadableError(this.path, error);
    });
    try {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(PEEK_BYTES), 0, PEEK_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  async bytes(): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this.chunks()) {
      size += chunk.length;
      if (size > MAX_BYTES) {
        throw invalidInput(
          `file: ${this.path} is larger than 512 MiB; split it, or convert it to JSON lines`,
        );
      }
      parts.push(chunk);
    }
    return Buffer.concat(parts);
  }

  async *chunks(): AsyncIterable<Uint8Array> {
    if (this.isFolder) throw invalidInput(`file: ${this.path} is a folder; pass a file in it`);
    try {
      yield* createReadStream(this.path);
    } catch (error) {
      throw unreadableError(this.path, error);
    }
  }

  async files(endings: readonly string[]): Promise<readonly ImportInput[]> {
    if (!this.isFolder) return [];
    const found: string[] = [];
    await collectFiles(this.path, endings, found);
    found.sort();
    return Promise.all(found.map((path) => openImportInput(path, this.path)));
  }

  async has(name: string): Promise<boolean> {
    if (!this.isFolder) return false;
    return lstat(join(this.path, name)).then(
      () => true,
      () => false,
    );
  }
}

async function collectFiles(
  folder: string,
  endings: readonly string[],
  found: string[],
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadableError(folder, error);
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) {
      await collectFiles(path, endings, found);
    } else if (entry.isFile() && endings.includes(extname(entry.name).toLowerCase())) {
      found.push(path);
    }
    if (found.length > MAX_FILES) {
      throw invalidInput(`file: ${folder} contains more than ${MAX_FILES} files; pass a subfolder`);
    }
  }
}

function unreadableError(path: string, error: unknown): Error {
  return invalidInput(`file: cannot read ${path}: ${fileReason(error)}`);
}
