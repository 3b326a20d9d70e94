export interface PageLocation {
  readonly db: string;
  readonly screen: ScreenName;
  readonly id: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  /** True if the address names no screen. */
  readonly isUnknown?: boolean;
}

export const SCREENS = [
  "home",
  "find",
  "item",
  "recall",
  "recalls",
  "map",
  "agent",
  "inbox",
  "feed",
  "topics",
  "databases",
  "bin",
  "tokens",
] as const;

export type ScreenName = (typeof SCREENS)[number];

const ROOT = "/ui/";

/** Parses a path such as `/ui/shop/item/ep%3A3?tab=history`. */
export function parseLocation(path: string, search: string): PageLocation {
  const [db = "", screen = "home", ...rest] = path.slice(ROOT.length).split("/").map(decode);
  const known = SCREENS.find((name) => name === screen);
  const id = rest.join("/");
  return {
    db,
    screen: known ?? "home",
    ...(known === undefined && screen !== "" && { isUnknown: true }),
    id: id === "" ? undefined : id,
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** Returns the URL of a place, without empty query parameters. */
export function getAddress({ db, screen, id, query }: PageLocation): string {
  const parts = [db, ...(screen === "home" ? [] : [screen]), ...(id === undefined ? [] : [id])];
  const values = Object.entries(query).filter(([, value]) => value !== "");
  const search = new URLSearchParams(values).toString();
  return `${ROOT}${parts.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
