import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";

/**
 * What tells a process from a later one that got the same id: when it began, on which start of the
 * machine. Undefined when there is no such process.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === "linux" ? identityByProc(pid) : identityByPs(pid);
}

/** Of the processes that see each other by the same ids: those of a machine, or of one container. */
export function processesHere(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
  } catch {
    return "0";
  }
}

function identityByProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // `pid (name) state …`, where the name may hold anything; the 22nd field is the start.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = ""] = fields;
    if (state === "" || "ZX".includes(state)) return undefined;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}.${fields[19]}`;
  } catch {
    return undefined;
  }
}

function identityByPs(pid: number): string | undefined {
  try {
    const line = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return line.trim() || undefined;
  } catch {
    return undefined;
  }
}
