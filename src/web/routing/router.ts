import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { getAddress, type Place, parsePlace } from "./location.ts";

/** The parts of a place to change. */
export type PlaceChange = Partial<Place>;

export class Router {
  readonly #location: Signal<Place>;

  constructor() {
    this.#location = signal(present());
    window.addEventListener("popstate", () => {
      this.#location.value = present();
    });
  }

  get place(): ReadonlySignal<Place> {
    return this.#location;
  }

  href({ query, ...change }: PlaceChange): string {
    const { db, query: present } = this.#location.peek();
    const { as_of: day = "" } = present;
    return getAddress({
      db,
      screen: "home",
      id: undefined,
      ...change,
      query: { as_of: day, ...query },
    });
  }

  go(address: string, how: "push" | "replace" = "push"): void {
    if (address === location.pathname + location.search) return;
    history[how === "push" ? "pushState" : "replaceState"](null, "", address);
    this.#location.value = present();
  }

  setQuery(change: Readonly<Record<string, string>>, how: "push" | "replace" = "replace"): void {
    const location = this.#location.peek();
    this.go(getAddress({ ...location, query: { ...location.query, ...change } }), how);
  }
}

function present(): Place {
  return parsePlace(location.pathname, location.search);
}
