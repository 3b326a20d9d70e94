import type { InputOf } from "../memory/index.ts";

/** A passage as it is handed to the memory. */
export type ReadPassage = InputOf<"read_source">["passages"][number];

/** What a source is, apart from its passages. */
export interface SourceName {
  /** Who wrote it: `claude-code`, `git`, `file`. */
  readonly kind: string;
  /** What it is called where it comes from, the same whatever path it is read by. */
  readonly key: string;
}

/** Some of what is new in a source, and how far it is read after it. */
export interface SourceBatch extends SourceName {
  readonly title?: string | undefined;
  readonly place?: string | undefined;
  readonly mark?: string | undefined;
  readonly passages: readonly ReadPassage[];
  /** Keys of passages that it has no longer; whatever it has again comes back. */
  readonly gone?: readonly string[] | undefined;
  /** These are all that it has. */
  readonly complete?: true | undefined;
}
