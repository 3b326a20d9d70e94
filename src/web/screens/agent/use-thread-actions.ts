import { useMemo, useRef } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import { newThreadId } from "../../agent/new-thread-id.ts";
import { questionActions } from "../../agent/question-actions.ts";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import { usePage } from "../../page.ts";
import type { OpenThread } from "./use-thread.ts";

/** The keys of a thread; `onDeny` opens the field for what should be done instead. */
export function useThreadActions(open: OpenThread, onDeny: () => void): void {
  const { router } = usePage();
  const present = useRef({ open, onDeny });
  present.current = { open, onDeny };
  const { connection, threadId } = open;
  useScreenActions(
    useMemo((): readonly Action[] => {
      const group = "This screen";
      const asked = () => {
        const { question } = present.current.open;
        return question === undefined ? undefined : { connection, question };
      };
      return [
        ...questionActions(asked, () => present.current.onDeny()),
        {
          ...{ id: "new-thread", title: "New thread", group, keys: ["n"] },
          run: () => router.go(router.href({ screen: "agent", id: newThreadId() })),
        },
        {
          ...{ id: "stop", title: "Stop the run", group, keys: ["Escape"] },
          run: () => present.current.open.stop(),
        },
        {
          ...{ id: "write", title: "Write to the agent", group, keys: ["w"] },
          run: () => document.querySelector<HTMLElement>(".composer textarea")?.focus(),
        },
      ];
    }, [connection, threadId, router]),
  );
}
