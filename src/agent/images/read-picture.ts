import { open, realpath } from "node:fs/promises";
import { messageOf } from "../../shared/errors.ts";
import { isInside, NON_BLOCKING_READ } from "../documents/read-text-file.ts";
import { type Picture, pictureOf } from "./picture.ts";

export type PictureFile =
  | { readonly kind: "picture"; readonly picture: Picture; readonly realPath: string }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly reason: string };

/** Larger ones are refused by their size alone. */
const READ_BYTES = 64 * 1024 * 1024;

/** An image that a user mentions; what it cannot give is an answer, never an exception. */
export async function readPicture(path: string, within?: string): Promise<PictureFile> {
  let real: string;
  try {
    real = await realpath(path);
    if (within !== undefined && !isInside(real, await realpath(within))) {
      return { kind: "refused", reason: "it is outside the project" };
    }
  } catch {
    return { kind: "missing" };
  }
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
    const file = await open(real, NON_BLOCKING_READ);
    try {
      const info = await file.stat();
      if (!info.isFile()) return { kind: "refused", reason: "it is not a regular file" };
      if (info.size > READ_BYTES) return { kind: "refused", reason: `it has ${info.size} bytes` };
      return { kind: "picture", picture: pictureOf(await file.readFile(), "it"), realPath: real };
    } finally {
      await file.close();
    }
  } catch (error) {
    return { kind: "refused", reason: messageOf(error).replace(/\.$/, "") };
  }
}
