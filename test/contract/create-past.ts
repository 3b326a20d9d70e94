import type { MemoryStore } from "../../src/memory/index.ts";
import { OWNER } from "../../src/shared/caller.ts";
import type { Given } from "./renumbering.ts";
import type { Input } from "./surface.ts";

/** Appears in every past record. Only the bin may still contain it. */
export const PAST_WORD = "quokka";

type Removal = "purged" | "undone" | "deleted";

/** Records like those of the scenario are written and removed in each of these ways, in order. */
const REMOVALS: readonly Removal[] = ["purged", "undone", "deleted", "undone"];

/**
 * Writes and removes records with the scenario's own entities, labels, topics, files, words and
 * keys. Returns the number of ids of each kind that were assigned.
 */
export async function createPast(store: MemoryStore): Promise<Given> {
  const past = new Past(store);
  for (const [turn, removal] of REMOVALS.entries()) await past.live(turn, removal);
  return past.given();
}

class Past {
  readonly #store: MemoryStore;
  readonly #said: string[] = [];

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async live(turn: number, removal: Removal): Promise<void> {
    const before = await this.#call("changes", { limit: 1 });
    const output = `${PAST_WORD} ${turn}`;
    // Deleted records keep their idempotency key, because they can be restored.
    const keys = removal === "deleted" ? ` ${output}` : "";
    const ids = await this.#write(output, keys);
    if (removal === "undone") {
      await this.#call("undo", { since: before.changes?.[0]?.id ?? "change:0" });
      return;
    }
    if (removal === "purged") await this.#call("purge", { ids });
    else for (const id of ids) await this.#delete(id);
    await this.#call("delete_topic", { topic_id: "deploys" });
  }

  /** Returns the largest number of each kind that appeared in a result or an event. */
  async given(): Promise<Given> {
    await this.#call("changes", { limit: 1 });
    const { events } = await this.#call("events", { limit: 500 });
    const input: Record<string, number> = { event: events?.at(-1)?.seq ?? 0 };
    const ids = /\b(ep|fact|conflict|change|source|passage|proposal):(\d+)\b/g;
    for (const [, kind = "", number] of this.#said.join().matchAll(ids)) {
      input[kind] = Math.max(input[kind] ?? 0, Number(number));
    }
    return input;
  }

  async #write(output: string, keys: string): Promise<readonly string[]> {
    await this.#call("create_topic", { name: "Deploys", description: `How ${output} ships` });
    const remembered = await this.#call("remember", {
      content: `Only once, ${output}, ship on green`,
      idempotency_key: `once${keys}`,
      topic: "Deploys",
      session: "work",
    });
    const { results = [] } = await this.#call("apply", {
      changeset: changesetOf(output),
      idempotency_key: `batch${keys}`,
    });
    const source = await this.#call("read_source", sourceOf(output));
    await this.#call("get_source", { source_id: source.id });
    const made = results.filter(({ op }) => op === "remember" || op === "concept");
    return [remembered.id, ...made.map(({ id }) => id), source.id];
  }

  /** A deleted episode keeps its topic, so unset it first. */
  async #delete(id: string): Promise<void> {
    if (id.startsWith("ep:")) await this.#call("set_topic", { id, topic: "" });
    await this.#call("delete", { id });
  }

  async #call(name: string, input: Input): Promise<Answer> {
    const answer = await this.#store.open().executeNamed(name, input, { caller: OWNER });
    this.#said.push(JSON.stringify(answer));
    return answer as Answer;
  }
}

interface Answer {
  readonly id: string;
  readonly changes?: readonly { readonly id: string }[];
  readonly events?: readonly { readonly seq: number }[];
  readonly results?: readonly { readonly op: string; readonly id: string }[];
}

function sourceOf(output: string): Input {
  const text = `How often may the retrier in src/retry.ts try again? ${output}`;
  const at = { files: "src/retry.ts", occurred_at: "2026-02-01T09:00:00Z" };
  return {
    kind: "claude-code",
    key: `session ${output}`,
    title: output,
    passages: [{ key: "a", by: "user", text, ...at }],
  };
}

function changesetOf(text: string): string {
  return [
    `remember as=a t=fact e=tool:cache,tool:node by=Ada session=work "Cache TTL is 300 seconds, ${text}"`,
    `remember as=b t=fact e=tool:cache session=work "Cache TTL is 450 seconds, ${text}"`,
    `remember as=c t=decision e=tool:node,project:shop session=work "The team moved the build to Node 18, ${text}"`,
    `remember as=d session=work "A zebra in a submarine, ${text}"`,
    `remember as=l t=fact session=work "A fact about nothing but ${text}"`,
    "label id=$c key=area value=build",
    `conflict as=x fact_a=$a fact_b=$b "${text}"`,
    "resolve id=$x winner=$b",
    `concept as=e title="Builds follow Node, ${text}" from=$c,$d "Support windows, ${text}"`,
    `concept as=f title="Upgrades, ${text}" from=$c`,
    "link from=$e to=$f type=implies",
    "evidence concept=$e episode=$a type=supporting",
    "processed ids=$c",
  ].join("\n");
}
