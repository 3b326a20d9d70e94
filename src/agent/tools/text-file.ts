import type { FileHandle } from "node:fs/promises";
import { invalidInput, notFound } from "../../shared/errors.ts";
import { openPinnedFile } from "../documents/pinned-folder.ts";
import type { ResolvedPath } from "./project-paths.ts";

/** A file that a model is to read or edit as text; bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The text of a file. Throws not_found, or invalid_input for folders, binaries and giants. */
export async function readText(path: ResolvedPath): Promise<string> {
  const bytes = await readBytes(path);
  if (bytes.subarray(0, 8192).includes(0)) {
    throw invalidInput(`"${path.shown}" is a binary file.`);
  }
  return bytes.toString("utf8");
}

/** The bytes of a file that is neither a folder nor a device, nor larger than what is read. */
export async function readBytes(path: ResolvedPath): Promise<Buffer> {
  const file = await openPinnedFile(path.absolute).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") {
      throw notFound(`There is no file "${path.shown}".`);
    }
    // A socket cannot be opened.
    if (error.code === "ENXIO") throw invalidInput(`"${path.shown}" is not a regular file.`);
    throw error;
  });
  try {
    await refuseOthers(file, path);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function refuseOthers(file: FileHandle, path: ResolvedPath): Promise<void> {
  const info = await file.stat();
  if (info.isDirectory()) throw invalidInput(`"${path.shown}" is a folder; glob lists its files.`);
  if (!info.isFile()) throw invalidInput(`"${path.shown}" is not a regular file.`);
  if (info.size > MAX_BYTES) {
    throw invalidInput(`"${path.shown}" has ${info.size} bytes, more than ${MAX_BYTES}.`);
  }
}

/** A file that is not UTF-8 would come back changed from an edit. */
export async function readEditableText(path: ResolvedPath): Promise<string> {
  const text = await readText(path);
  if (!text.includes("\uFFFD")) return text;
  const bytes = await readBytes(path);
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  throw invalidInput(`"${path.shown}" is not UTF-8 and would be damaged by an edit.`);
}
