import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { getAddress, type PageLocation, parseLocation } from "./location.ts";

/** The parts of a place to change. */
export type LocationChange = Partial<PageLocation>;

export class Router {
  readonly #location: Signal<PageLocation>;

  constructor() {
    this.#location = signal(present());
    window.addEventListener("popstate", () => {
      this.#location.value = present();
    });
  }

  get location(): ReadonlySignal<PageLocation> {
    return this.#location;
  }

  href({ query, ...change }: LocationChange): string {
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

function present(): PageLocation {
  return parseLocation(location.pathname, location.search);
}
