import { useEffect, useRef } from "preact/hooks";
import { GO_ACTIONS } from "../actions/go-actions.ts";
import { withVisibleControls } from "../data/stored-text.ts";
import type { Place } from "../routing/place.ts";

/**
 * The window is named after what it shows, so that tabs and the history can be told apart; and the
 * focus goes to a new screen, so that the keyboard goes on there.
 */
export function useScreenTitle(place: Place): void {
  const { db, screen, id, query } = place;
  const title =
    id ?? query.change ?? query.q ?? GO_ACTIONS.find((one) => one.screen === screen)?.title;
  useEffect(() => {
    const parts = [title ?? screen, db, "cairn"].filter((part) => part !== "");
    document.title = withVisibleControls(parts.join(" · "));
  }, [title, screen, db]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && !isInDialogOrMain(document.activeElement)) {
      document.getElementById("main")?.focus({ preventScroll: true });
    }
    isFirst.current = false;
  }, [screen, db, id]);
}

/** Where somebody is at work already, as in a field that takes the focus by itself. */
function isInDialogOrMain(element: Element | null): boolean {
  return element?.closest("dialog, main") != null;
}
