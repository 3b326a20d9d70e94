import { useEffect, useRef } from "preact/hooks";
import { GO_ACTIONS } from "../actions/action.ts";
import { withVisibleControls } from "../data/stored-text.ts";
import { usePage } from "../page.ts";
import type { Place } from "../routing/place.ts";

export function useScreenTitle(place: Place): void {
  const { db, screen, id, query } = place;
  const connection = usePage().agent.connection.value;
  const waiting = connection?.waiting.value ?? 0;
  const thread =
    screen === "agent"
      ? (connection?.threads.value?.find(({ threadId }) => threadId === id)?.title ?? "Agent")
      : undefined;
  const title =
    thread ??
    id ??
    query.change ??
    query.q ??
    GO_ACTIONS.find((one) => one.screen === screen)?.title;
  useEffect(() => {
    const parts = [title ?? screen, db, "cairn"].filter((part) => part !== "");
    const count = waiting === 0 ? "" : `(${waiting}) `;
    document.title = withVisibleControls(count + parts.join(" · "));
  }, [title, screen, db, waiting]);
  useWaitingMark(waiting);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && !isInDialogOrMain(document.activeElement)) {
      document.getElementById("main")?.focus({ preventScroll: true });
    }
    isFirst.current = false;
  }, [screen, db, id]);
}

function isInDialogOrMain(element: Element | null): boolean {
  return element?.closest("dialog, main") != null;
}

function useWaitingMark(waiting: number): void {
  const name = waiting === 0 ? "icon" : "icon-waiting";
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute("href", `/ui/assets/${name}.svg`);
  }, [name]);
}
