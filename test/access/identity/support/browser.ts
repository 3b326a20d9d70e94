export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Follows redirects until a page, or a URL that starts with `stopsAt`. */
  async open(address: string, stopsAt?: string): Promise<Page> {
    return this.#go(new URL(address), { method: "GET" }, stopsAt);
  }

  async submit(page: Page, fields: Record<string, string>, stopsAt?: string): Promise<Page> {
    const action = /<form[^>]*action="([^"]+)"/.exec(page.text)?.[1] ?? "";
    const hidden = Object.fromEntries(
      Array.from(
        page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g),
        ([, name = "", value = ""]) => [name, value],
      ),
    );
    return this.#go(
      new URL(action, page.url),
      {
        method: "POST",
        body: new URLSearchParams({ ...hidden, ...fields }).toString(),
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          origin: new URL(page.url).origin,
        },
      },
      stopsAt,
    );
  }

  cookiesOf(address: string): ReadonlyMap<string, string> {
    return this.#cookies.get(new URL(address).origin) ?? new Map();
  }

  async #go(url: URL, init: RequestInit, stopsAt: string | undefined): Promise<Page> {
    let at = url;
    let request = init;
    for (let hops = 0; hops < 20; hops += 1) {
      if (stopsAt !== undefined && at.href.startsWith(stopsAt) && hops > 0) {
        return { url: at.href, status: 0, text: "", headers: new Headers() };
      }
      const jar = this.#cookies.get(at.origin) ?? new Map<string, string>();
      this.#cookies.set(at.origin, jar);
      const response = await fetch(at, {
        ...request,
        redirect: "manual",
        headers: {
          ...(request.headers as Record<string, string> | undefined),
          ...(jar.size > 0 && { cookie: Array.from(jar, ([k, v]) => `${k}=${v}`).join("; ") }),
        },
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        const isGone = /max-age=0|expires=Thu, 01 Jan 1970/i.test(line);
        if (isGone) jar.delete(name);
        else jar.set(name, value);
      }
      const next = response.headers.get("location");
      if (next === null || response.status < 300 || response.status > 399) {
        return {
          url: at.href,
          status: response.status,
          text: await response.text(),
          headers: response.headers,
        };
      }
      await response.body?.cancel();
      at = new URL(next, at);
      request = { method: "GET" };
    }
    throw new Error(`Too many redirections: ${at.href}`);
  }
}

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}
