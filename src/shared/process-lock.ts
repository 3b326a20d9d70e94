import {
  linkSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { sleep } from "./async.ts";
import { CairnError, isMissingFile } from "./errors.ts";
import { randomIds } from "./ids.ts";
import { runProgramSync } from "./programs.ts";

export type ProcessLock = { readonly release: () => void } | { readonly holderPid: number };

interface Holder {
  readonly pid: number;
  readonly identity: string;
  readonly token: string;
}

const MAX_ATTEMPTS = 20;
const CLAIM_EXPIRY_MS = 10_000;

/**
 * Acquires a lock file that names its process and start time, created atomically. If the owner is
 * dead or its id was reused, exactly one process takes over.
 */
export function takeProcessLock(path: string): ProcessLock {
  const own = describeOwnProcess();
  const draft = `${path}.${own.token}`;
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (waitForFile(draft, path)) return { release: () => releaseLock(path, own) };
      const holder = readHolder(path);
      if (holder === "gone") continue;
      if (holder !== "unreadable" && isHolderAlive(holder)) return { holderPid: holder.pid };
      if (takeOverLock({ path, draft, holder })) return { release: () => releaseLock(path, own) };
    }
    const holder = readHolder(path);
    return { holderPid: typeof holder === "string" ? 0 : holder.pid };
  } finally {
    rmSync(draft, { force: true });
  }
}

export function findLockHolder(path: string): number | undefined {
  const holder = readHolder(path);
  return typeof holder !== "string" && isHolderAlive(holder) ? holder.pid : undefined;
}

function describeOwnProcess(): Holder {
  return {
    pid: process.pid,
    identity: processIdentity(process.pid) ?? "unknown",
    token: randomIds.next(""),
  };
}

function waitForFile(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Claims are named after the lock they replace, so only one process succeeds; a late process finds
 * a different lock.
 */
function takeOverLock(lock: {
  readonly path: string;
  readonly draft: string;
  readonly holder: Holder | "unreadable";
}): boolean {
  const { path, draft, holder } = lock;
  const token = holder === "unreadable" ? "unreadable" : holder.token;
  const claim = `${path}.over-${token}`;
  if (!waitForFile(draft, claim)) {
    dropOldClaim(claim);
    return false;
  }
  // After the rename, the name may belong to another process's claim.
  let isRenamed = false;
  try {
    const now = readHolder(path);
    const isSame = now === holder || (typeof now !== "string" && now.token === token);
    if (!isSame) return false;
    renameSync(claim, path);
    isRenamed = true;
    return true;
  } finally {
    if (!isRenamed) rmSync(claim, { force: true });
  }
}

function dropOldClaim(claim: string): void {
  try {
    if (Date.now() - statSync(claim).mtimeMs > CLAIM_EXPIRY_MS) rmSync(claim, { force: true });
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
}

function releaseLock(path: string, own: Holder): void {
  const holder = readHolder(path);
  if (typeof holder !== "string" && holder.token === own.token) rmSync(path, { force: true });
}

function readHolder(path: string): Holder | "gone" | "unreadable" {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (isMissingFile(error)) return "gone";
    throw error;
  }
  return parseHolder(text) ?? "unreadable";
}

/** Undefined for an empty file from a full disk, or a bare process id from earlier versions. */
function parseHolder(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Holder> | null;
    const { pid, identity, token } = value ?? {};
    const isComplete = typeof pid === "number" && typeof identity === "string";
    return isComplete && typeof token === "string" ? { pid, identity, token } : undefined;
  } catch {
    return undefined;
  }
}

function isHolderAlive({ pid, identity }: Holder): boolean {
  return processIdentity(pid) === identity;
}

const LOCK_TIMEOUT_MS = 10_000;

/** Resolves with the release function. Throws busy. */
export async function waitForProcessLock(path: string): Promise<() => void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const lock = takeProcessLock(path);
    if ("release" in lock) return lock.release;
    if (performance.now() > deadline) {
      throw new CairnError(
        "busy",
        `Process ${lock.holderPid} holds the lock of the file. Try again.`,
      );
    }
    await sleep(2 + Math.random() * 8);
  }
}

export function processIdentity(pid: number): string | undefined {
  return process.platform === "linux" ? readProcIdentity(pid) : readPsIdentity(pid);
}

export function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
  } catch {
    return "0";
  }
}

function readProcIdentity(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // `pid (name) state …`, where the name may contain anything; field 22 is the start time.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = ""] = fields;
    if (state === "" || "ZX".includes(state)) return undefined;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}.${fields[19]}`;
  } catch {
    return undefined;
  }
}

function readPsIdentity(pid: number): string | undefined {
  const { status, stdout } = runProgramSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return (status === 0 && stdout.trim()) || undefined;
}

export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
