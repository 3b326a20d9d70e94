import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** Addresses of this machine and of its host's metadata service. */
const LOOPBACK_RANGES = [
  ["127.0.0.0", 8, "ipv4"],
  ["0.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["::", 127, "ipv6"],
  ["fe80::", 10, "ipv6"],
  // Wrapped IPv4 addresses.
  ["::ffff:0:0", 96, "ipv6"],
  ["64:ff9b::", 96, "ipv6"],
] as const;

/** In any form that a client of a proxy may send. */
export function isThisMachine(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  const family = isIP(name);
  // Digits may still be read as an address: `2130706433`, `0x7f.1`, `127.1`.
  if (family === 0) return /^[0-9.]+$|^0x/.test(name);
  const kind = family === 4 ? "ipv4" : "ipv6";
  // One list per family: every IPv4 address would match a list with wrapped addresses.
  const list = new BlockList();
  for (const [address, bits, of] of LOOPBACK_RANGES)
    if (of === kind) list.addSubnet(address, bits, of);
  for (const { address, family: of } of Object.values(networkInterfaces()).flatMap(
    (i) => i ?? [],
  )) {
    if (of.toLowerCase() === kind) list.addAddress(address, kind);
  }
  return list.check(name, kind);
}
