/** True for loopback addresses, which nobody can intercept. */
export function isLocalAddress(address: string): boolean {
  const { hostname } = new URL(address);
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
