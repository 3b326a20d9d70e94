import { BlockList, isIP } from "node:net";

/** IPv4 ranges that are local, private or reserved (IANA special-purpose registry). */
const NON_PUBLIC_RANGES = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Link-local; clouds serve machine credentials at 169.254.169.254.
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;

/** Ranges in `2000::/3`, the public part of IPv6, that are not public or embed an IPv4 address. */
const NON_PUBLIC_IPV6_RANGES = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const reserved = new BlockList();
for (const [address, bits] of NON_PUBLIC_RANGES) reserved.addSubnet(address, bits, "ipv4");
const global = new BlockList();
global.addSubnet("2000::", 3, "ipv6");
const reservedOf6 = new BlockList();
for (const [address, bits] of NON_PUBLIC_IPV6_RANGES) reservedOf6.addSubnet(address, bits, "ipv6");

/** NAT64 prefixes, by which IPv6-only networks reach IPv4. */
const translated = new BlockList();
translated.addSubnet("64:ff9b::", 96, "ipv6");

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !reserved.check(address, "ipv4");
  if (family !== 6) return false;
  if (translated.check(address, "ipv6")) return isPublicAddress(lastFourBytes(address));
  return global.check(address, "ipv6") && !reservedOf6.check(address, "ipv6");
}

/** Returns the IPv4 address embedded at the end, which URLs write in hexadecimal. */
function lastFourBytes(address: string): string {
  const { hostname } = new URL(`http://[${address}]`);
  const groups = hostname.slice(1, -1).split(":").slice(-2);
  const [high = 0, low = 0] = groups.map((group) => Number.parseInt(group || "0", 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
