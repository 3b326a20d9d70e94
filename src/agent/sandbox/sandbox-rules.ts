import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, parse } from "node:path";
import type { PermissionRule } from "../permission/permission-types.ts";
import { ACTED_UPON, ACTED_UPON_AT_HOME } from "../tools/acted-upon.ts";
import { isInside } from "../tools/project-paths.ts";
import type { SandboxRules } from "./sandbox-messages.ts";

/**
 * Where package managers keep archives and compilers their intermediate results, below the home
 * folder. What holds programs or scripts that a later command of the user's would run is not here.
 */
const CACHES = [".npm/_cacache", ".npm/_logs", ".cache/go-build", ".cache/ccache"];

/**
 * Keys of the user's below the home folder. What a command prints goes to the model's provider, so
 * they are hidden, but from commands that were allowed to reach others: a push needs them.
 */
const KEYS = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker/config.json",
  ".config/gcloud",
  ".config/gh",
  ".git-credentials",
  ".config/git/credentials",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".cargo/credentials.toml",
  ".terraform.d/credentials.tfrc.json",
  ".password-store",
  "Library/Keychains",
];

export interface SandboxPlaces {
  /** Absolute. */
  readonly projectRoot: string;
  readonly userConfigDir: string;
  readonly dataDir: string;
  /** Nothing but the trial runs, so no folder is made. */
  readonly isTrial?: boolean;
}

/** The rules for commands that a person or a rule allowed to reach others. */
export function openedRules(rules: SandboxRules): SandboxRules {
  const keys = new Set(keyPlaces());
  const denyRead = rules.filesystem.denyRead.filter((path) => !keys.has(path));
  const filesystem = { ...rules.filesystem, denyRead };
  return { ...rules, filesystem, network: { ...rules.network, isOpen: true } };
}

/** What commands of this project may touch, with the network closed but for what rules allow. */
export function sandboxRules(
  { projectRoot, userConfigDir, dataDir, isTrial }: SandboxPlaces,
  rules: readonly PermissionRule[],
): SandboxRules {
  const root = realPath(projectRoot);
  const isWholeDisk = root === parse(root).root;
  const holdsHome = isInside(root, realPath(homedir()));
  // Where they could be made by a command, the user's own folders are made first and kept from it.
  const tokens = join(dataDir, "tokens");
  const own = holdsHome ? [userConfigDir, dataDir, tokens] : [tokens];
  if (isTrial !== true) own.forEach(makePrivate);
  const home = holdsHome ? [...ACTED_UPON, ...ACTED_UPON_AT_HOME] : [];
  const caches = CACHES.map((folder) => join(homedir(), folder));
  return {
    filesystem: {
      allowWrite: [...(isWholeDisk ? [] : [root]), tmpdir(), ...caches].filter(existsSync),
      denyWrite: [userConfigDir, dataDir, ...home.map((name) => join(homedir(), name))].filter(
        existsSync,
      ),
      denyRead: [join(userConfigDir, "config.json"), tokens, ...keyPlaces()].filter(existsSync),
    },
    network: { allow: allowedHosts(rules), isOpen: false },
    project: isWholeDisk
      ? undefined
      : {
          root,
          asideFolder: join(dataDir, "set-aside"),
        },
  };
}

/** Hosts, with or without a port, that rules for `network` allow and none after them forbids. */
export function allowedHosts(rules: readonly PermissionRule[]): readonly string[] {
  const hosts = new Set<string>();
  for (const { tool, pattern, action, tightens } of rules) {
    if (tool !== "network") continue;
    if (action === "allow" && tightens !== true) {
      if (pattern !== undefined && HOST.test(pattern)) hosts.add(pattern);
    } else if (pattern === undefined) hosts.clear();
    else hosts.delete(pattern);
  }
  return [...hosts];
}

/** `example.com`, `*.example.com`, `example.com:443`; the library's proxy takes no other patterns. */
const HOST = /^(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[1-9][0-9]{0,4})?$/;

function keyPlaces(): readonly string[] {
  return KEYS.map((name) => join(homedir(), name));
}

function makePrivate(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    // Where nobody can make it, a command cannot either.
    if (
      !["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"].includes(
        (error as NodeJS.ErrnoException).code ?? "",
      )
    ) {
      throw error;
    }
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A folder that is not there has no other name.
    return path;
  }
}
