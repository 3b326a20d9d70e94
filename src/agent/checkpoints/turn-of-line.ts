import { isMissingFile } from "../../shared/errors.ts";
import type { WrittenLine } from "../ports/checkpoint.ts";
import type { BlobStore } from "./blob-store.ts";
import type { FileCopy } from "./file-copy.ts";
import type { TurnRecord } from "./turn-record.ts";

export interface StoredTurn {
  readonly threadId: string;
  readonly turn: TurnRecord;
}

/** A brace or a bare keyword stands in any file, and says nothing of who wrote this one. */
const SAYS_SOMETHING = /[\p{L}\p{N}_][^\p{L}\p{N}_]+[\p{L}\p{N}_]/u;

/** The newest turn after which a line is in a file, and before which it was not. */
export function turnOfLine(
  turns: readonly StoredTurn[],
  store: BlobStore,
  { path, text }: WrittenLine,
): StoredTurn | undefined {
  if (!SAYS_SOMETHING.test(text)) return undefined;
  const holds = (copy: FileCopy | null) =>
    linesOf(copy, store).some((line) => line.trim() === text.trim());
  return turns
    .filter(({ turn }) => turn.undone === undefined)
    .sort((a, b) => b.turn.at.localeCompare(a.turn.at))
    .find(({ turn }) =>
      turn.files.some((file) => file.path === path && holds(file.after) && !holds(file.before)),
    );
}

function linesOf(copy: FileCopy | null, store: BlobStore): readonly string[] {
  if (copy === null || !("hash" in copy)) return [];
  try {
    return store.get(copy.hash).toString("utf8").split("\n");
  } catch (error) {
    // Contents that no turn needs any more were thrown away.
    if (isMissingFile(error)) return [];
    throw error;
  }
}
