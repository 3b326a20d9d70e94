import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { promisify } from "node:util";

const LONGEST_MS = 10_000;

/** A repository of others that the project names. */
export interface GitRemote {
  /** As it stands in the project's config. */
  readonly written: string;
  /** `https://example.org:8443`, `ssh://git@example.org:22`. */
  readonly origin: string;
  /** `/owner/project`, without `.git`: what is compared. */
  readonly path: string;
  /** Undefined: over http. */
  readonly ssh?: SshPlace;
}

export interface SshPlace {
  /** `git@example.org`, or a name of the person's ssh config. */
  readonly destination: string;
  readonly port?: string;
  /** As the program of the other side is given it. */
  readonly path: string;
}

/**
 * Remotes that the project's own config names, as the person's git would reach them; finding them runs
 * nothing of the project.
 */
export async function gitRemotes(root: string): Promise<{
  readonly remotes: readonly GitRemote[];
  /** Others, which are reached in another way. */
  readonly hasOthers: boolean;
}> {
  const words = [
    "config",
    "--local",
    "--no-includes",
    "--get-regexp",
    "^remote\\..*\\.(url|pushurl)$",
  ];
  const listed = await git(root, words);
  const urls = listed
    .split("\n")
    .flatMap((line) => (line.includes(" ") ? [line.slice(line.indexOf(" ") + 1)] : []));
  const remotes = await Promise.all(
    urls.map(async (written) => remoteOf(written, await reachedAt(written))),
  );
  const found = remotes.filter((remote) => remote !== undefined);
  return { remotes: found, hasOthers: found.length < urls.length };
}

/** The person's own config may write addresses otherwise (`url.….insteadOf`). */
async function reachedAt(url: string): Promise<string> {
  return (await git(homedir(), ["ls-remote", "--get-url", "--", url])).trim() || url;
}

async function git(cwd: string, words: readonly string[]): Promise<string> {
  const options = { cwd, timeout: LONGEST_MS };
  const done = await promisify(execFile)("git", [...words], options).catch(() => ({ stdout: "" }));
  return done.stdout;
}

function remoteOf(written: string, url: string): GitRemote | undefined {
  if (/^https?:\/\//.test(url)) {
    if (!URL.canParse(url)) return undefined;
    const { origin, pathname } = new URL(url);
    return { written, origin, path: plainPath(pathname) };
  }
  const ssh = sshPlaceOf(url);
  if (ssh === undefined) return undefined;
  return { written, origin: sshOrigin(ssh), path: plainPath(ssh.path), ssh };
}

function sshOrigin({ destination, port }: SshPlace): string {
  return `ssh://${destination}${port === undefined ? "" : `:${port}`}`;
}

/** What begins with a hyphen would be an option of ssh. */
const DESTINATION = /^(?:[A-Za-z0-9_][\w.+-]*@)?[A-Za-z0-9_][\w.-]*$/;

function sshPlaceOf(url: string): SshPlace | undefined {
  const [, whole, port, path] =
    /^(?:ssh|git\+ssh|ssh\+git):\/\/([^/:]+)(?::([0-9]{1,5}))?(\/.+)$/.exec(url) ?? [];
  const [, short, shortPath] =
    whole === undefined ? (/^([^/:]+):(?!\/\/|:)(.+)$/.exec(url) ?? []) : [];
  const destination = whole ?? short ?? "";
  const given = path?.replace(/^\/~/, "~") ?? shortPath ?? "";
  // No screen shows these, and no path of a repository holds them.
  if (!DESTINATION.test(destination) || /[\0-\x1f\x7f]/.test(given) || given.startsWith("-")) {
    return undefined;
  }
  return { destination, path: given, ...(port !== undefined && { port }) };
}

/** However a repository's address is written. */
export function plainPath(path: string): string {
  const plain = path.replace(/\/+$/, "").replace(/\.git$/, "");
  return `/${plain.replace(/^\/+/, "")}`;
}
