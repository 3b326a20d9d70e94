import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readSmall } from "./git-folder.ts";

export interface GitEvidence {
  /** Commits without a parent. */
  readonly firsts: readonly string[];
  /** Without users, passwords and ways to get there. */
  readonly remotes: readonly string[];
}

export type Agreement = "first commit" | "remote";

const TIMEOUT_MS = 3_000;
const SAFE = [
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"],
  ...["-c", "protocol.allow=never", "--no-pager"],
];

/** Undefined where nothing was ever committed. */
export function gitEvidence(workTree: string, common: string): GitEvidence | undefined {
  if (!existsSync(join(common, "logs", "HEAD")) && !existsSync(join(common, "packed-refs"))) {
    return undefined;
  }
  const { PATH, HOME, SystemRoot } = process.env;
  const { stdout } = spawnSync("git", [...SAFE, "rev-list", "--max-parents=0", "HEAD"], {
    cwd: workTree,
    env: { PATH, HOME, SystemRoot, GIT_NO_LAZY_FETCH: "1", GIT_OPTIONAL_LOCKS: "0" },
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    stdio: ["ignore", "pipe", "ignore"],
    windowsHide: true,
  });
  const firsts = (stdout ?? "").split("\n").filter((line) => /^[0-9a-f]{40,64}$/.test(line));
  return { firsts, remotes: remotesIn(readSmall(join(common, "config")) ?? "") };
}

function remotesIn(config: string): string[] {
  const remotes = new Set<string>();
  let isRemote = false;
  for (const line of config.split("\n")) {
    const section = /^\s*\[(.*)\]/.exec(line)?.[1];
    if (section !== undefined) isRemote = /^remote\s+"/.test(section);
    const url = /^\s*url\s*=\s*(\S.*)$/.exec(line)?.[1];
    if (isRemote && url !== undefined) remotes.add(placeOf(url.trim()));
  }
  return [...remotes].sort();
}

/** `git@host:a/b.git` and `https://me:secret@host/a/b` are the same `host/a/b`. */
function placeOf(url: string): string {
  const [, host, path] =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/+(.*)$/i.exec(url) ??
    /^(?:[^@/]*@)?([^/:]+):(?!\/\/)(.*)$/.exec(url) ??
    [];
  const place = host === undefined ? url : `${host.toLowerCase()}/${path?.replace(/^\/+/, "")}`;
  return place.replace(/\/+$/, "").replace(/\.git$/, "");
}

/** In what two repositories agree. */
export function agreementOf(one: GitEvidence, other: GitEvidence): Agreement[] {
  const share = (a: readonly string[], b: readonly string[]) => a.some((each) => b.includes(each));
  return [
    ...(share(one.firsts, other.firsts) ? ["first commit" as const] : []),
    ...(share(one.remotes, other.remotes) ? ["remote" as const] : []),
  ];
}
