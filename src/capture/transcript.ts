/** One thing that happened in a session, in the order of the transcript. */
export type TranscriptEntry =
  | { readonly kind: "said"; readonly by: "user" | "assistant"; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string | undefined;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: "result";
      readonly id: string | undefined;
      readonly text: string;
      /** What the client says; undefined where it does not say. */
      readonly failed: boolean | undefined;
    };

/** Reads one record of a transcript; empty for a record that is of another form or says nothing. */
export type RecordReader = (
  record: Readonly<Record<string, unknown>>,
) => readonly TranscriptEntry[];
