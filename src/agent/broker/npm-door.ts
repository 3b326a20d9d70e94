import { type BrokerAnswer, type BrokerRequest, type Door, exported } from "./door.ts";
import { forward } from "./forward.ts";
import { type NpmRegistry, PUBLIC_REGISTRY } from "./npm-login.ts";

/** Reaches the person's registry. */
export class NpmDoor implements Door {
  readonly #registry: NpmRegistry;

  constructor(registry: NpmRegistry) {
    this.#registry = registry;
  }

  lead(address: string, publishes: boolean): string {
    // Of the public registry everybody reads; by another address lock files would be written otherwise.
    if (!publishes && this.#registry.url === PUBLIC_REGISTRY) return "";
    return exported({
      npm_config_registry: `${address}/`,
      npm_config_replace_registry_host: "always",
    });
  }

  async answer(request: BrokerRequest): Promise<BrokerAnswer> {
    const { method, path: rest, search, publishes, note } = request;
    const registry = this.#registry;
    const reads = method === "GET" || method === "HEAD" || rest.startsWith("-/npm/v1/security/");
    if (!reads && !publishes) throw new Error("This command was not allowed to publish.");
    // npm puts the registry's own path behind the address that it was given.
    const own = new URL(registry.url).pathname.slice(1);
    const path = own !== "" && rest.startsWith(own) ? rest.slice(own.length) : rest;
    const url = new URL(`${path}${search}`, registry.url);
    if (!url.href.startsWith(registry.url)) throw new Error("It is not of your registry.");
    await note(`npm ${method} ${url.href}`);
    return forward(request, { url, authorization: registry.authorization });
  }
}
