import type { InputOf } from "../../memory/index.ts";

export type ReadPassage = InputOf<"read_source">["passages"][number];

/** Identifies a source. */
export interface SourceName {
  /** The kind of its author: `claude-code`, `git`, `file`. */
  readonly kind: string;
  readonly key: string;
}

/** New passages of a source, and how far the source is read with them. */
export interface SourceBatch extends SourceName {
  readonly title?: string | undefined;
  readonly place?: string | undefined;
  readonly mark?: string | undefined;
  readonly passages: readonly ReadPassage[];
  /** Keys of passages that the source no longer has. A passage that reappears is restored. */
  readonly gone?: readonly string[] | undefined;
  /** What was left out, such as "3 damaged records"; reported to the user and not stored. */
  readonly omitted?: string | undefined;
  /** The passages are all that the source has. */
  readonly complete?: true | undefined;
}
