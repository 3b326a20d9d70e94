const OWN_PORT = /^(localhost|127\.0\.0\.1):([1-9][0-9]{0,4})$/;

/**
 * Returns shell text that makes allowed ports of this machine reachable at the same address. The
 * sandbox has its own loopback, and clients use no proxy for `localhost`. Each port is forwarded
 * through the sandbox's proxy, which checks it again.
 */
export function bridgedPorts(allow: readonly string[]): string {
  const hosts = new Map<string, string>();
  for (const entry of allow) {
    const [, host, port] = OWN_PORT.exec(entry) ?? [];
    if (host !== undefined && port !== undefined) hosts.set(port, host);
  }
  const lastPort = [...hosts.keys()].at(-1);
  if (lastPort === undefined) return "";
  const bridges = [...hosts].map(
    ([port, host]) =>
      `socat TCP-LISTEN:${port},bind=127.0.0.1,fork,reuseaddr ` +
      `"PROXY:127.0.0.1:${host}:${port},proxyport=3128,proxyauth=$__proxy_auth" ` +
      "</dev/null >/dev/null 2>&1 &\n",
  );
  return [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
    "__proxy_auth=${HTTP_PROXY#http://}; __proxy_auth=${__proxy_auth%@*}\n",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
    '__proxy_auth=$(printf "%b" "${__proxy_auth//%/\\\\x}")\n',
    ...bridges,
    "unset __proxy_auth\n",
    // Waits until the last port is open.
    "for __n in 1 2 3 4 5 6 7 8 9 10; do " +
      `(exec 3<>/dev/tcp/127.0.0.1/${lastPort}) 2>/dev/null && break; sleep 0.02; done; unset __n\n`,
  ].join("");
}
