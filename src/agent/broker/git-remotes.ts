import { execFile } from "node:child_process";
import { promisify } from "node:util";

const LONGEST_MS = 10_000;

/** A repository of others that the project names, as it is reached over http. */
export interface GitRemote {
  /** `https://example.org:8443`. */
  readonly origin: string;
  /** `/owner/project`, without `.git`. */
  readonly path: string;
}

/** Remotes that the project's own config names; reading them runs nothing of the project. */
export async function gitRemotes(root: string): Promise<{
  readonly remotes: readonly GitRemote[];
  /** Others, which are reached by ssh and the like. */
  readonly hasOthers: boolean;
}> {
  const words = [
    "config",
    "--local",
    "--no-includes",
    "--get-regexp",
    "^remote\\..*\\.(url|pushurl)$",
  ];
  const options = { cwd: root, timeout: LONGEST_MS };
  const listed = await promisify(execFile)("git", words, options).catch(() => ({ stdout: "" }));
  const urls = listed.stdout
    .split("\n")
    .flatMap((line) => (line.includes(" ") ? [line.slice(line.indexOf(" ") + 1)] : []));
  const remotes = urls.flatMap((url) => remoteOf(url) ?? []);
  return { remotes, hasOthers: remotes.length < urls.length };
}

function remoteOf(url: string): GitRemote | undefined {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return { origin, path: plainPath(pathname) };
}

/** However a repository's address is written. */
export function plainPath(path: string): string {
  return path.replace(/\/+$/, "").replace(/\.git$/, "");
}
