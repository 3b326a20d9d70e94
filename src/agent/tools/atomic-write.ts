import { replacePinnedFile } from "../documents/pinned-folder.ts";

/** Replaces a file in one step and keeps its mode; links are not followed. */
export async function writeWholeFile(path: string, content: string | Buffer): Promise<void> {
  await replacePinnedFile(path, content);
}
