import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { addressOf, type Place, parsePlace } from "./place.ts";

/** The parts of a place to change. */
export type PlaceChange = Partial<Place>;

export class Router {
  readonly #place: Signal<Place>;

  constructor() {
    this.#place = signal(present());
    window.addEventListener("popstate", () => {
      this.#place.value = present();
    });
  }

  get place(): ReadonlySignal<Place> {
    return this.#place;
  }

  href({ query, ...change }: PlaceChange): string {
    const { db, query: present } = this.#place.peek();
    const { as_of: day = "" } = present;
    return addressOf({
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
    this.#place.value = present();
  }

  setQuery(change: Readonly<Record<string, string>>, how: "push" | "replace" = "replace"): void {
    const place = this.#place.peek();
    this.go(addressOf({ ...place, query: { ...place.query, ...change } }), how);
  }
}

function present(): Place {
  return parsePlace(location.pathname, location.search);
}
