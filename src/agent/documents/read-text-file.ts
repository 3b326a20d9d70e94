import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { isInside } from "../../shared/is-inside.ts";

export const NON_BLOCKING_READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface ReadTextFileOptions {
  readonly within?: string;
  readonly maxBytes: number;
}

export type TextFile =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly size: number;
      readonly truncated: boolean;
      readonly realPath: string;
    }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly reason: string };

/** Returns a refusal instead of throwing. */
export async function readTextFile(path: string, options: ReadTextFileOptions): Promise<TextFile> {
  try {
    const realPath = await realpath(path);
    if (options.within !== undefined && !isInside(await realpath(options.within), realPath)) {
      return { kind: "refused", reason: "it is outside the project" };
    }
    return await readUpTo(realPath, options.maxBytes);
  } catch (error) {
    return describeReadError(error);
  }
}

async function readUpTo(realPath: string, maxBytes: number): Promise<TextFile> {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const file = await open(realPath, NON_BLOCKING_READ);
  try {
    const { size, isFile } = await file.stat().then((s) => ({ size: s.size, isFile: s.isFile() }));
    if (!isFile) return { kind: "refused", reason: "it is not a regular file" };
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    const length = await readFully(file, buffer);
    const bytes = buffer.subarray(0, length);
    if (bytes.includes(0)) return { kind: "refused", reason: "it is not a text file" };
    const truncated = size > length;
    const text = new TextDecoder().decode(bytes, { stream: truncated });
    return { kind: "text", text, size, truncated, realPath };
  } finally {
    await file.close();
  }
}

async function readFully(file: Awaited<ReturnType<typeof open>>, buffer: Buffer): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

/** The last two: no file can have such a name. */
const MISSING_FILE_CODES = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"]);

function describeReadError(error: unknown): TextFile {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code === "string" && MISSING_FILE_CODES.has(code)) return { kind: "missing" };
  if (code === "EACCES" || code === "EPERM") {
    return { kind: "refused", reason: "it may not be read by this user" };
  }
  if (code === "ELOOP") return { kind: "refused", reason: "it is a symbolic link to itself" };
  return { kind: "refused", reason: `it cannot be read (${String(code ?? "unknown error")})` };
}
