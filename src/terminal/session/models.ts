import { messageOf } from "../../shared/errors.ts";
import { findModelQuery, type ModelQuery, offerModels } from "../completion/complete-model.ts";
import type { PickerItem } from "../state/screen.ts";
import type { ScreenPort } from "./screen-port.ts";

const KEPT_MS = 300_000;

/** The models that the provider lists, to choose one. */
export class Models {
  readonly #session: ScreenPort;
  readonly #now: () => number;
  #list: { readonly names: Promise<readonly string[]>; readonly at: number } | undefined;

  constructor(session: ScreenPort, now: () => number) {
    this.#session = session;
    this.#now = now;
  }

  /** Another provider may have been set up. */
  forget(): void {
    this.#list = undefined;
  }

  async pick(): Promise<void> {
    const { model } = this.#session.screen.status;
    try {
      const names = await this.#names();
      if (names.length === 0) throw new Error("The provider lists no models.");
      const others = names.filter((name) => name !== model);
      const current: PickerItem[] =
        model === undefined ? [] : [{ id: model, label: model, detail: "now" }];
      const items = [...current, ...others.map((name) => ({ id: name, label: name, detail: "" }))];
      const picker = { kind: "models", items, all: items, query: "", selected: 0 } as const;
      this.#session.dispatch({ type: "picker", picker });
    } catch (error) {
      const is = model === undefined ? "" : `The model is ${model}. `;
      const how = "/model <name> changes it for this session.";
      this.#session.note("info", `${is}${how} ${messageOf(error)}`);
    }
  }

  /** Completes the name behind `/model`, unless something else is typed once the list is there. */
  async offer(query: ModelQuery): Promise<void> {
    const names = await this.#names().catch(() => []);
    const { text, cursor } = this.#session.screen.editor;
    const current = findModelQuery(text, cursor);
    if (current?.typed !== query.typed) return;
    this.#session.dispatch({ type: "completion", completion: offerModels(current, names) });
  }

  #names(): Promise<readonly string[]> {
    const host = this.#session.connection?.host;
    if (host === undefined) return Promise.resolve([]);
    const isOld = this.#list === undefined || this.#now() - this.#list.at > KEPT_MS;
    if (isOld) {
      const names = host.models();
      this.#list = { names, at: this.#now() };
      // Asked again the next time.
      names.catch(() => this.forget());
    }
    return this.#list?.names ?? Promise.resolve([]);
  }
}
