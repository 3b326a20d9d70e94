/** `example.com`, `*.example.com`, either with a port: what a rule for `network` allows. */
export function matchesHost(pattern: string, host: string, port: number): boolean {
  const [name = "", wanted] = pattern.toLowerCase().split(":");
  if (wanted !== undefined && Number(wanted) !== port) return false;
  const asked = host.toLowerCase().replace(/\.$/, "");
  return name.startsWith("*.") ? asked.endsWith(name.slice(1)) : asked === name;
}

/** Ports of this machine that rules allow by name: commands reach them directly. */
export function ownPorts(allow: readonly string[]): readonly number[] {
  return allow.flatMap((entry) => {
    const port = /^(?:localhost|127\.0\.0\.1):([1-9][0-9]{0,4})$/.exec(entry)?.[1];
    return port === undefined ? [] : [Number(port)];
  });
}
