import { networkInterfaces } from "node:os";

/** Listening on all addresses of the machine. */
const EVERYWHERE: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** The addresses of this machine in its networks, those of home and office networks first. */
export function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((of = []) => of);
  const others = all.filter(({ internal, family }) => !internal && family === "IPv4");
  const rank = (address: string) => (PRIVATE.test(address) ? 0 : 1);
  return others.map(({ address }) => address).sort((a, b) => rank(a) - rank(b));
}

const PRIVATE = /^(192\.168\.|10\.|172\.(1[6-9]|2\d|3[01])\.)/;

/** Under which addresses phones reach a server that listens on `host`. */
export function addressesOf(host: string): readonly string[] {
  return EVERYWHERE.has(host) ? ownAddresses() : [host];
}
