import type { Readable } from "node:stream";
import { type BrokerAnswer, type BrokerRequest, type Door, exported } from "./door.ts";
import { forward } from "./forward.ts";
import type { AddressWithLogin } from "./login-in-address.ts";
import type { PipIndexes } from "./pip-indexes.ts";

const MOST_BYTES = 64 * 1024 * 1024;
/** In this form links can be looked through; every index has it. */
const AS_PAGE = "application/vnd.pypi.simple.v1+html, text/html;q=0.9";
const LINK = /(\bhref\s*=\s*)(?:"([^"]*)"|'([^']*)')/gi;

/**
 * Reaches the person's package indexes: their pages, and of the same host nothing but the files that such a
 * page names, since a key often opens more than packages there.
 */
export class PipDoor implements Door {
  readonly #indexes: readonly AddressWithLogin[];
  readonly #lead: PipIndexes;
  /** Paths by index. */
  readonly #named = new Map<number, Set<string>>();

  constructor(indexes: PipIndexes) {
    this.#lead = indexes;
    const all = [indexes.main, ...indexes.further];
    this.#indexes = all.filter((one) => one !== undefined && typeof one !== "string");
  }

  lead(address: string): string {
    const placeOf = (index: AddressWithLogin | string) =>
      typeof index === "string"
        ? index
        : `${address}/${this.#indexes.indexOf(index)}${index.url.pathname}`;
    const { main, further } = this.#lead;
    return exported({
      ...(main !== undefined && { PIP_INDEX_URL: placeOf(main) }),
      ...(further.length > 0 && { PIP_EXTRA_INDEX_URL: further.map(placeOf).join(" ") }),
    });
  }

  async answer(request: BrokerRequest): Promise<BrokerAnswer> {
    const { method, search, note, address } = request;
    const [, number = "", path = "/"] = /^([0-9]+)(\/.*)$/.exec(request.path) ?? [];
    const at = Number(number);
    const index = number === "" ? undefined : this.#indexes[at];
    if (index === undefined) throw new Error("It is no package index of yours.");
    if (method !== "GET" && method !== "HEAD") throw new Error("An index is only read.");
    const url = new URL(`${path}${search}`, index.url.origin);
    const isPage = isBelow(url, index.url);
    if (url.origin !== index.url.origin || !(isPage || this.#isNamed(at, url.pathname))) {
      throw new Error("It is neither a page of your package index nor a file that one names.");
    }
    await note(`pip ${method} ${url.href}`);
    const answer = await forward(request, {
      ...{ url, authorization: index.authorization },
      // As it is, not packed, so that links can be read.
      ...(isPage && { headers: { accept: AS_PAGE, "accept-encoding": "identity" } }),
      onRedirect: (goal) => {
        if (goal.origin !== index.url.origin) return goal.href;
        return isBelow(goal, index.url)
          ? `${address}/${at}${goal.pathname}${goal.search}`
          : undefined;
      },
    });
    const isHtml = /html/.test(String(answer.headers["content-type"] ?? ""));
    if (!isPage || !isHtml || method === "HEAD") return answer;
    const text = (await wholeOf(answer.body)).replace(LINK, (link, before, double, single) => {
      const written = String(double ?? single).replaceAll("&amp;", "&");
      if (!URL.canParse(written, url)) return link;
      const goal = new URL(written, url);
      if (goal.origin !== url.origin) return link;
      this.#name(at, goal.pathname);
      const here = `${address}/${at}${goal.pathname}${goal.search}${goal.hash}`;
      return `${before}"${here.replaceAll("&", "&amp;").replaceAll('"', "%22")}"`;
    });
    const { "content-length": _length, ...headers } = answer.headers;
    return { ...answer, headers, body: text };
  }

  /** What is known of a package lies beside its file. */
  #isNamed(at: number, path: string): boolean {
    const named = this.#named.get(at);
    return named?.has(path) === true || named?.has(path.replace(/\.(metadata|asc)$/, "")) === true;
  }

  #name(at: number, path: string): void {
    const named = this.#named.get(at) ?? new Set();
    this.#named.set(at, named.add(path));
  }
}

function isBelow({ origin, pathname }: URL, index: URL): boolean {
  const base = index.pathname.replace(/\/*$/, "/");
  return origin === index.origin && `${pathname}/`.startsWith(base);
}

async function wholeOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new Error("The page of the index is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
