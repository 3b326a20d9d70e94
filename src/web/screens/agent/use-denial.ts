import { useState } from "preact/hooks";
import type { Question } from "../../agent/entry.ts";

interface Denial {
  begin(question: Question | undefined): void;
  on(question: Question): {
    readonly isDenying: boolean;
    onDeny(isDenying: boolean): void;
  };
}

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
