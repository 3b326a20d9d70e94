import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProjectGuard } from "../../../src/agent/sandbox/project-guard.ts";
import { messageOf } from "../../../src/shared/errors.ts";

// Child process: runs a guard under the given fault (`KIND ROOT ASIDE`) and prints one line of
// JSON.
const [kind = "", root = "", asideFolder = ""] = process.argv.slice(2);
const notices: string[] = [];
const guard = new ProjectGuard(
  { root, asideFolder },
  (notice) => notices.push(notice),
  () => undefined,
);

function evil(name: string): void {
  execFileSync("git", ["init", "-q", join(root, name)]);
  writeFileSync(join(root, name, ".git/hooks/post-checkout"), "evil\n");
}

/** Opens files up to the limit; returns a function that closes them. */
function takeAllFiles(): () => void {
  const taken: number[] = [];
  for (;;) {
    try {
      taken.push(openSync("/dev/null", "r"));
    } catch {
      return () => taken.splice(0).forEach(closeSync);
    }
  }
}

const said = (work: Promise<unknown>) => work.then(JSON.stringify, messageOf);

const kinds: Record<string, () => Promise<unknown>> = {
  /** No file can be opened before and after the command. */
  async files() {
    let free = takeAllFiles();
    const first = await said(guard.before());
    free();
    await guard.before();
    evil("made");
    execFileSync("git", ["init", "-q", join(root, "harmless")]);
    free = takeAllFiles();
    const ended = await said(guard.after());
    const second = await said(guard.before());
    free();
    const noticesBefore = notices.length;
    await guard.before();
    return { first, ended, second, noticesBefore, notices };
  },
  /** The user's own folder cannot be listed, but its entries can be opened by name. */
  async unlisted() {
    process.setgid?.(65_534);
    process.setuid?.(65_534);
    mkdirSync(join(root, "own"));
    chmodSync(join(root, "own"), 0o111);
    const kept = await guard.before();
    evil("hidden/in");
    chmodSync(join(root, "hidden"), 0o111);
    const told = await guard.after();
    const next = await said(guard.before());
    chmodSync(join(root, "hidden"), 0o755);
    await guard.before();
    return { kept, told, next, notices };
  },
  async killed() {
    await guard.before();
    evil("made");
    process.stdout.write("ready\n");
    // Exits if the parent exits.
    await new Promise((resolve) => process.stdin.once("close", resolve).resume());
    return undefined;
  },
};

process.stdout.write(`${JSON.stringify(await kinds[kind]?.())}\n`);
process.exit(0);
