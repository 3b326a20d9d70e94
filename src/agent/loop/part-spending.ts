import type { CountedTokens, ModelClient } from "../../llm/index.ts";
import type { PartSpent } from "../ports/events.ts";
import { Spending } from "./spending.ts";

/** Counts what a part of the work takes, which counts for the whole as well. */
export class PartSpending extends Spending {
  readonly #whole: Spending;
  readonly #own = new Spending(undefined);

  constructor(whole: Spending) {
    super(undefined);
    this.#whole = whole;
  }

  /** So far. */
  takeSpent(): PartSpent {
    const { inputTokens, outputTokens, cost } = this.#own.takeReport();
    return { inputTokens, outputTokens, ...(cost !== undefined && { cost }) };
  }

  override takeReport() {
    return this.#whole.takeReport();
  }

  override takeRest() {
    return this.#whole.takeRest();
  }

  override record(client: Pick<ModelClient, "price">, usage: CountedTokens): void {
    this.#own.record(client, usage);
    this.#whole.record(client, usage);
  }

  override check(client: Pick<ModelClient, "price" | "model">): void {
    this.#whole.check(client);
  }
}
