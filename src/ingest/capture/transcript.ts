/** One event of a session, in the order of the transcript. */
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
      /** Whether the client reports a failure; undefined if it does not say. */
      readonly failed: boolean | undefined;
    };
