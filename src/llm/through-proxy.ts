/** This machine is never reached through a proxy. */
const LOCAL = ["localhost", "127.0.0.1", "::1"];

/** `fetch` that goes through a proxy, but for hosts that are named as in `NO_PROXY`. */
export async function throughProxy(
  proxy: string,
  noProxy: string | undefined,
): Promise<typeof globalThis.fetch> {
  const undici = await import("undici");
  const around = new undici.ProxyAgent(proxy);
  const isDirect = directHosts(noProxy ?? "");
  // The library's own agent for this warns at every start that it may change.
  const dispatcher = new undici.Agent().compose(
    (straight) => (options, handler) =>
      isDirect(new URL(String(options.origin)))
        ? straight(options, handler)
        : around.dispatch(options, handler),
  );
  // The types of the library and of Node.js describe the same objects twice.
  const send = undici.fetch as (input: unknown, init: unknown) => Promise<unknown>;
  return async (input, init) => (await send(input, { ...init, dispatcher })) as Response;
}

/** A host stands for those below it as well, as it does to curl; `*` for all. */
function directHosts(noProxy: string): (url: URL) => boolean {
  const entries = [...noProxy.split(/[\s,]+/), ...LOCAL].flatMap((entry) => {
    const [, host = "", port] = /^\[?([^[\]]+?)\]?(?::(\d+))?$/.exec(bracketed(entry)) ?? [];
    const isAddress = /^[\d.]+$/.test(host) || host.includes(":");
    const name = isAddress ? host : host.replace(/^\*?\./, "");
    return name === "" ? [] : [{ name, isAddress, port }];
  });
  return ({ hostname, port, protocol }) => {
    const host = hostname.toLowerCase().replace(/^\[|\]$/g, "");
    const at = port !== "" ? port : protocol === "https:" ? "443" : "80";
    return entries.some(({ name, isAddress, port: only }) => {
      if (only !== undefined && only !== at) return false;
      return name === "*" || host === name || (!isAddress && host.endsWith(`.${name}`));
    });
  };
}

/** An address of the sixth version, whose colons are no port, as it stands in a URL. */
function bracketed(entry: string): string {
  const lower = entry.toLowerCase();
  return lower.split(":").length > 2 && !lower.includes("[") ? `[${lower}]` : lower;
}
