import { BlockList, isIP } from "node:net";

export const LOOPBACK_NAMES: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

export interface Authority {
  /** Lower case; IPv6 in brackets. */
  readonly name: string;
  readonly port: number | undefined;
}

/** Undefined unless the text is `name`, `name:port`, `[v6]` or `[v6]:port`. */
export function parseAuthority(text: string): Authority | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/.exec(text.toLowerCase());
  const name = match?.[1];
  if (name === undefined) return undefined;
  return { name, port: match?.[2] === undefined ? undefined : Number(match[2]) };
}

/** Formats a listen address for a URL: `::1` → `[::1]`. */
export function urlHost(host: string): string {
  return isIP(host) === 6 ? `[${host.toLowerCase()}]` : host.toLowerCase();
}

export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (address === "localhost") return true;
  const family = isIP(address);
  if (family === 0) return false;
  const loopback = new BlockList();
  loopback.addSubnet("127.0.0.0", 8, "ipv4");
  loopback.addAddress("::1", "ipv6");
  return loopback.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** True if other machines can reach the server directly or through a proxy. */
export function isReachableByOthers({
  host,
  allowHost,
}: {
  readonly host: string;
  readonly allowHost: readonly string[];
}): boolean {
  const names = allowHost.map((name) => parseAuthority(name)?.name ?? name);
  return !isLoopback(host) || names.some((name) => !isLoopback(name));
}
