import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { quoteForShell } from "../../shared/text.ts";

/** Files through which root changes the kernel, whatever capabilities were dropped. */
const KERNEL_PATHS = ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"];

/** The library reads its own arguments through 9. */
const FILTER_FD = 8;

/**
 * Extends bubblewrap's command: closes shared memory and queues, kernel settings, which root can
 * write without a capability, and by the seccomp program of a file what it refuses. Throws if the
 * command has an unknown form.
 */
export function keepKernel(wrapped: string, filterFile: string | undefined): string {
  const end = wrapped.indexOf(" -- ");
  const isKnown = end !== -1 && wrapped.lastIndexOf(" --proc /proc ", end) !== -1;
  if (!isKnown) throw new Error("The sandbox starts commands in an unknown way.");
  const readOnly = KERNEL_PATHS.map((path) => ` --ro-bind-try ${path} ${path}`).join("");
  const filter =
    filterFile === undefined
      ? ""
      : ` --seccomp ${FILTER_FD} ${FILTER_FD}<${quoteForShell(filterFile)}`;
  return `${wrapped.slice(0, end)} --unshare-ipc${readOnly}${filter}${wrapped.slice(end)}`;
}

const LOOPBACK_PORT = /^(localhost|127\.0\.0\.1):([1-9][0-9]{0,4})$/;

/**
 * Returns shell text that makes allowed ports of this machine reachable at the same address. The
 * sandbox has its own loopback, and clients use no proxy for `localhost`. Each port is forwarded
 * through the sandbox's proxy, which checks it again.
 */
export function createPortBridges(allow: readonly string[]): string {
  const hosts = new Map<string, string>();
  for (const entry of allow) {
    const [, host, port] = LOOPBACK_PORT.exec(entry) ?? [];
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

/** Shell code that lists processes left at the end, except for a command with an EXIT trap. */
const EXIT_SCRIPT = [
  "unset CAIRN_AT_END; trap '",
  "set +euf; unset IFS; __left=; __own=();",
  'while read -r __key __ids; do [ "$__key" = NSpid: ] && __own=($__ids); done </proc/self/status;',
  "for __dir in /proc/[0-9]*; do",
  "__pid=(); __words=(); __state=;",
  "while read -r __key __ids; do case $__key in",
  'NSpid:) __pid=($__ids);; State:) __state=$__ids;; esac; done 2>/dev/null <"$__dir/status";',
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is the shell's.
  "[ ${#__pid[@]} -eq ${#__own[@]} ] && [ ${#__pid[@]} -gt 0 ] || continue;",
  'case "${__pid[-1]} $__state" in "1 "*|"$$ "*|"$PPID "*|*" Z"*|*" X"*) continue;; esac;',
  // A process has no arguments while it is becoming another program.
  'for __try in 1 2 3 4 5 6 7 8 9; do [ ${#__words[@]} -eq 0 ] || break; [ $__try -lt 4 ] || sleep 0.01; [ -d "$__dir" ] || break;',
  'while read -r -d "" __word; do __words+=("$__word"); done 2>/dev/null <"$__dir/cmdline"; done;',
  '__line="${__words[*]}"; __line="${__line##*CAIRN_AT_END\\"; }"; case "$__line" in ""|*"socat TCP-LISTEN:"*) continue;; esac;',
  '__left="$__left${__left:+; }${__line:0:100}"; done;',
  '[ -z "$__left" ] || printf "\\n[Processes that the command left running were ended with it: %s.',
  'In the sandbox, start long-running commands with \\"background\\".]\\n" "$__left" >&2',
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is the shell's.
  "' EXIT",
].join(" ");

/** Goes before a command, on its first line; a variable contains the text. */
export const RUN_EXIT_SCRIPT = 'eval "$CAIRN_AT_END"; ';

export const EXPORT_EXIT_SCRIPT = `export CAIRN_AT_END=${quoteForShell(EXIT_SCRIPT)}; `;

export function createTemporaryFolder(scope: string, folder: string): string {
  const name = scope.replace(/[^A-Za-z0-9]/g, "_");
  const path = join(folder, name === "" ? "commands" : `of-${name}`);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

/** The library's own temporary folder would be empty for each command. */
export function withTemporaryFolder(
  wrapped: string,
  { shared, path }: { readonly shared: string; readonly path: string },
): string {
  const end = wrapped.indexOf(" -- ");
  const empty = ` --tmpfs ${shared} `;
  const at = wrapped.indexOf(empty);
  if (at === -1 || end === -1 || at > end) return wrapped;
  const mount = ` --bind ${path} ${shared} `;
  return wrapped.slice(0, at) + mount + wrapped.slice(at + empty.length);
}
