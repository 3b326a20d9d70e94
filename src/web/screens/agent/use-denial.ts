import { useState } from "preact/hooks";
import type { Question } from "../../agent/entry.ts";

interface Denial {
  /** As the key for it does, which acts outside of the card. */
  begin(question: Question | undefined): void;
  /** What the card of this question is given. */
  on(question: Question): {
    readonly isDenying: boolean;
    onDeny(isDenying: boolean): void;
  };
}

/** Which question is being refused: its card asks what the agent should do instead. */
export function useDenial(): Denial {
  const [denied, setDenied] = useState<string>();
  return {
    begin: (question) => setDenied(question?.questionId),
    on: ({ questionId }) => ({
      isDenying: denied === questionId,
      onDeny: (isDenying) => setDenied(isDenying ? questionId : undefined),
    }),
  };
}
