import type { ScreenName } from "../routing/place.ts";
import type { Action } from "./action.ts";

/** The screens in the order of the rail. */
export const GO_ACTIONS: readonly (Action & { readonly screen: ScreenName })[] = [
  go("home", "Home", "h"),
  go("agent", "Agent", "a"),
  go("inbox", "Inbox", "i"),
  go("find", "Find", "f"),
  go("recall", "Recall", "r"),
  go("recalls", "Recalls", "l"),
  go("map", "Map", "m"),
  go("feed", "Feed", "e"),
  go("topics", "Topics", "t"),
  go("databases", "Databases", "d"),
  go("bin", "Bin", "b"),
];

function go(screen: ScreenName, title: string, key: string) {
  return {
    id: `go-${screen}`,
    screen,
    title,
    group: "Go to" as const,
    keys: ["g", key],
    run: ({ router }: Parameters<Action["run"]>[0]) => router.go(router.href({ screen })),
  };
}
