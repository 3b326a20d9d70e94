import { type Signal, signal } from "@preact/signals";
import { type Place, SCREENS } from "../routing/place.ts";

const KEY = "cairn-views";
const LONGEST_NAME = 60;

/** What an address shows, under a name that somebody gave it. */
export interface SavedView extends Pick<Place, "db" | "screen" | "query"> {
  readonly name: string;
  readonly id?: string;
}

/** Not part of what is shown: the row that is open, and the day that the whole page is at. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(["sel", "as_of", "before"]);

/** Views by their names, in the order that somebody likes; kept in the browser beside the preferences. */
export class SavedViews {
  readonly all: Signal<readonly SavedView[]> = signal(parseViews(localStorage.getItem(KEY) ?? ""));

  constructor() {
    window.addEventListener("storage", ({ key, newValue }) => {
      if (key === KEY) this.all.value = parseViews(newValue ?? "");
    });
  }

  of(db: string): readonly SavedView[] {
    return this.all.value.filter((view) => view.db === db);
  }

  /** Under the same name it takes the place of the one before. */
  keep(name: string, { db, screen, id, query }: Place): void {
    const kept = Object.entries(query).filter(
      ([key, value]) => value !== "" && !OF_THE_MOMENT.has(key),
    );
    const view: SavedView = {
      name: name.trim().slice(0, LONGEST_NAME),
      db,
      screen,
      ...(id !== undefined && { id }),
      query: Object.fromEntries(kept),
    };
    const known = this.all.peek();
    const at = known.findIndex((one) => isSame(one, view));
    this.#set(at < 0 ? [...known, view] : known.with(at, view));
  }

  /** False: another one of the database is called so. */
  rename(view: SavedView, name: string): boolean {
    const renamed = { ...view, name: name.trim().slice(0, LONGEST_NAME) };
    if (
      renamed.name === "" ||
      this.all.peek().some((one) => one !== view && isSame(one, renamed))
    ) {
      return false;
    }
    this.#set(this.all.peek().map((one) => (one === view ? renamed : one)));
    return true;
  }

  remove(view: SavedView): void {
    this.#set(this.all.peek().filter((one) => one !== view));
  }

  /** One place up among those of its database. */
  raise(view: SavedView): void {
    const ofDatabase = this.of(view.db);
    const before = ofDatabase[ofDatabase.indexOf(view) - 1];
    if (before === undefined) return;
    const all = this.all.peek();
    this.#set(all.map((one) => (one === view ? before : one === before ? view : one)));
  }

  asText(db: string): string {
    return JSON.stringify(this.of(db), null, 2);
  }

  /** How many there were in the text that another browser gave; they come beside those that are here. */
  takeOver(text: string, db: string): number {
    const views = parseViews(text);
    for (const view of views) this.keep(view.name, { ...view, db, id: view.id });
    return views.length;
  }

  #set(views: readonly SavedView[]): void {
    this.all.value = views;
    localStorage.setItem(KEY, JSON.stringify(views));
  }
}

function isSame(a: SavedView, b: SavedView): boolean {
  return a.db === b.db && a.name === b.name;
}

/** What is no view of this page is left out. */
function parseViews(text: string): readonly SavedView[] {
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) ? found.filter(isView) : [];
  } catch {
    // Nothing, or not what this page wrote.
    return [];
  }
}

function isView(value: Partial<SavedView> | null): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  const { name, db, screen, id, query } = value;
  return (
    typeof name === "string" &&
    name !== "" &&
    typeof db === "string" &&
    SCREENS.some((known) => known === screen) &&
    (id === undefined || typeof id === "string") &&
    typeof query === "object" &&
    query !== null &&
    Object.values(query).every((one) => typeof one === "string")
  );
}
