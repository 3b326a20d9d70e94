import { isPlainObject } from "../../shared/json.ts";
import type { CargoRegistry } from "./cargo-registries.ts";
import { type BrokerAnswer, type BrokerRequest, type Door, shellQuoted } from "./door.ts";
import { forward } from "./forward.ts";

const MOST_BYTES = 1024 * 1024;
const DOWNLOADS = "~download";
/** What cargo fills in where an address of downloads holds it. */
const MARKERS = ["crate", "version", "prefix", "lowerprefix", "sha256-checksum"] as const;
const SAFE = /^[\w.+-]+(?:\/[\w.+-]+)*$/;

/** Reads the person's own registries of cargo: their index, and what it names for downloads. */
export class CargoDoor implements Door {
  readonly #registries: readonly CargoRegistry[];
  readonly #downloads = new Map<string, string>();

  constructor(registries: readonly CargoRegistry[]) {
    this.#registries = registries;
  }

  /**
   * A source is replaced, so that lock files name the registry and not this address. Variables cannot say
   * that: the shell's own `cargo` does, for each call.
   */
  lead(address: string): string {
    const settings = this.#registries.flatMap(({ name, index }) => [
      `source.${name}.registry="sparse+${index.href}"`,
      `source.${name}.replace-with="cairn-${name}"`,
      `source.cairn-${name}.registry="sparse+${address}/${name}/"`,
    ]);
    const words = settings.map((setting) => `--config ${shellQuoted(setting)}`).join(" ");
    return (
      `cargo() { case "$1" in +*) __chain=$1; shift; command cargo "$__chain" ${words} "$@";; ` +
      `*) command cargo ${words} "$@";; esac; }\n`
    );
  }

  async answer(request: BrokerRequest): Promise<BrokerAnswer> {
    const { method, path, search, note } = request;
    const [name = "", ...parts] = path.split("/");
    const registry = this.#registries.find((one) => one.name === name);
    if (registry === undefined) throw new Error("It is no registry of yours.");
    if (method !== "GET" && method !== "HEAD") throw new Error("A registry is only read.");
    const rest = parts.join("/");
    const url =
      parts[0] === DOWNLOADS
        ? await this.#download(registry, parts.slice(1), request)
        : new URL(`${rest}${search}`, registry.index);
    if (parts[0] !== DOWNLOADS && !url.href.startsWith(registry.index.href)) {
      throw new Error("It is not of your registry.");
    }
    await note(`cargo ${method} ${url.href}`);
    const answer = await forward(request, {
      ...{ url, authorization: registry.token },
      ...(rest === CONFIG && { headers: { "accept-encoding": "identity" } }),
      onRedirect: (goal) => (goal.origin === url.origin ? undefined : goal.href),
    });
    if (rest !== CONFIG || answer.status !== 200) return answer;
    const { dl } = await configOf(answer);
    this.#downloads.set(name, dl);
    const markers = MARKERS.map((marker) => `{${marker}}`).join("/-/");
    const here = { dl: `${request.address}/${name}/${DOWNLOADS}/${markers}` };
    return { status: 200, headers: JSON_TYPE, body: JSON.stringify(here) };
  }

  async #download(
    registry: CargoRegistry,
    parts: readonly string[],
    request: BrokerRequest,
  ): Promise<URL> {
    const template = this.#downloads.get(registry.name) ?? (await this.#ask(registry, request));
    const given = parts.join("/").split("/-/").map(decodeURIComponent);
    if (given.length !== MARKERS.length || !given.every((word) => SAFE.test(word))) {
      throw new Error("It is no download of your registry.");
    }
    const isFilled = MARKERS.some((marker) => template.includes(`{${marker}}`));
    const whole = isFilled ? template : `${template}/{crate}/{version}/download`;
    return new URL(
      MARKERS.reduce((text, marker, at) => text.replaceAll(`{${marker}}`, given[at] ?? ""), whole),
    );
  }

  /** Cargo may have kept the config of a run before. */
  async #ask(registry: CargoRegistry, request: BrokerRequest): Promise<string> {
    await this.answer({ ...request, path: `${registry.name}/${CONFIG}`, search: "" });
    return this.#downloads.get(registry.name) ?? "";
  }
}

const CONFIG = "config.json";
const JSON_TYPE = { "content-type": "application/json" };

async function configOf({ body }: Awaited<ReturnType<typeof forward>>): Promise<{ dl: string }> {
  let text = "";
  for await (const chunk of body as AsyncIterable<Buffer>) {
    text += chunk.toString();
    if (text.length > MOST_BYTES) break;
  }
  const config: unknown = JSON.parse(text);
  const dl = isPlainObject(config) ? config.dl : undefined;
  if (typeof dl !== "string" || !/^https?:\/\//.test(dl)) {
    throw new Error("The registry names no place for downloads.");
  }
  return { dl };
}
