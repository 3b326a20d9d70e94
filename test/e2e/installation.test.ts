import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { driverError } from "../../src/database/sqlite/driver-error.ts";
import { packageRoot } from "../../src/shared/package.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-install-"));
  cpSync(join(packageRoot(), "bin"), join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function start(...flags: string[]) {
  return spawnSync(process.execPath, [...flags, join(folder, "bin", "cairn.js"), "mcp"], {
    encoding: "utf8",
    input: "",
  });
}

it("explains what to run before a build", () => {
  const { status, stdout, stderr } = start();
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^cairn is not built yet: run `npm ci` in \S+\n$/);
});

it("names the required Node.js version without loading the program", () => {
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist", "main.js"), "this is no JavaScript");
  const older = join(folder, "older.cjs");
  writeFileSync(
    older,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.4" } });',
  );
  const { status, stderr } = start("--require", older);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^cairn needs Node\.js 20\.19 or newer, and this is 18\.20\.4: .*\n$/);
});

it.each(["--version", "-V", "version"])(
  "prints its version for %s without loading the program",
  (word) => {
    mkdirSync(join(folder, "dist"));
    writeFileSync(join(folder, "dist", "main.js"), "this is no JavaScript");
    writeFileSync(join(folder, "package.json"), '{ "type": "module", "version": "1.2.3" }');
    const command = join(folder, "bin", "cairn.js");
    const { status, stdout } = spawnSync(process.execPath, [command, word], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "1.2.3\n" });
  },
);

it("prepares no modules if this process or the daemon responds", () => {
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist", "main.js"), "this is no JavaScript");
  const client = join(folder, "dist", "client.cjs");
  writeFileSync(client, "exports.askDaemon = async () => ({ isAnswered: true });");
  const plain = join(folder, "plain.cjs");
  writeFileSync(join(folder, "empty.cjs"), "");
  writeFileSync(plain, 'require("./empty.cjs");');
  const list = join(folder, "list.cjs");
  writeFileSync(
    list,
    'process.on("exit", () => process._rawDebug(process.moduleLoadList.filter((name) => name.includes("/esm/")).join()));',
  );
  const madeReady = (...args: string[]) =>
    spawnSync(process.execPath, ["--require", list, ...args], { encoding: "utf8" }).stderr;
  const command = join(folder, "bin", "cairn.js");
  expect(madeReady(plain)).toContain(madeReady(command, "--version").trim());
  expect(madeReady(command, "recall", "x")).toBe(madeReady(plain));
});

it("fails if its program ends with unfinished work", () => {
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist", "client.cjs"), "exports.askDaemon = async () => ({});");
  writeFileSync(join(folder, "dist", "main.js"), "await new Promise(() => undefined);");
  expect(start().status).toBe(13);
  writeFileSync(join(folder, "dist", "main.js"), "process.exit(0);");
  expect(start().status).toBe(0);
  writeFileSync(join(folder, "dist", "main.js"), "process.exitCode = 3;");
  expect(start().status).toBe(3);
  writeFileSync(join(folder, "dist", "main.js"), 'throw new Error("broken");');
  expect(start().status).toBe(1);
  writeFileSync(join(folder, "dist", "main.js"), "await Promise.resolve();");
  expect(start().status).toBe(0);
});

it("starts no server with a driver for another Node.js, and reports the cure", () => {
  const broken = join(folder, "broken.cjs");
  writeFileSync(
    broken,
    `const dlopen = process.dlopen;
     process.dlopen = function (module, file, ...rest) {
       if (!String(file).includes("better_sqlite3")) return dlopen.call(this, module, file, ...rest);
       const message = "was compiled against NODE_MODULE_VERSION 115. This version requires 127.";
       throw Object.assign(new Error(message), { code: "ERR_DLOPEN_FAILED" });
     };`,
  );
  const command = join(packageRoot(), "bin", "cairn.js");
  const args = ["--require", broken, command, "mcp", "--data-dir", folder];
  const initialize = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} })}\n`;
  const ran = spawnSync(process.execPath, args, { encoding: "utf8", input: initialize });
  expect({ status: ran.status, stdout: ran.stdout }).toEqual({ status: 1, stdout: "" });
  expect(ran.stderr).toMatch(/was installed for another Node\.js .*npm rebuild better-sqlite3/);
});

it("detects a missing native module, and no other error as one", () => {
  const missing = new Error("Could not locate the bindings file. Tried:\n → …");
  expect(driverError(missing)?.message).toContain("npm rebuild better-sqlite3");
  expect(driverError(new Error("disk I/O error"))).toBeUndefined();
  for (const message of [
    "Error loading shared library ld-linux-x86-64.so.2: No such file or directory (needed by vec0.so)",
    "Cannot find module '/app/dist/driver/build/Release/better_sqlite3.node'",
  ]) {
    const error = Object.assign(new Error(message), { code: "ERR_DLOPEN_FAILED" });
    expect(driverError(error)?.message).toContain("Alpine Linux has no glibc");
  }
});

/** Starts a command in a deleted directory with the given program. */
function startInDeletedFolder(program: string, ...command: string[]) {
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist", "client.cjs"), "exports.askDaemon = async () => ({});");
  writeFileSync(join(folder, "dist", "main.js"), program);
  const finished = `(function (exports) { exports.finished = (async () => { ${program} })(); })`;
  writeFileSync(join(folder, "dist", "hook.cjs"), finished);
  const line = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  return spawnSync(
    "sh",
    ["-c", line, "sh", process.execPath, join(folder, "bin", "cairn.js"), ...command],
    { encoding: "utf8", cwd: folder, input: "" },
  );
}

const PRINTS_FOLDER = "process.stdout.write(process.cwd());";

it.each([
  [0, "/", "", ["hook", "claude-code", "prompt"]],
  [0, "/", "", ["mcp"]],
  [1, "", /^cairn: error: The working directory no longer exists\. .*\n$/, ["ls"]],
])("exits with %i in a deleted directory", (status, stdout, stderr, command) => {
  const started = startInDeletedFolder(PRINTS_FOLDER, ...command);
  expect(started).toMatchObject({ status, stdout });
  expect(started.stderr).toMatch(stderr);
});

it.each([
  [0, "", ["hook", "claude-code", "prompt"]],
  [0, "cairn: error: broken\n", ["hook", "claude-code", "prompt", "--debug"]],
  [1, "cairn: error: broken\n", ["mcp"]],
])("exits with %i and %j if its program cannot be loaded", (status, stderr, command) => {
  expect(startInDeletedFolder('throw new Error("broken");', ...command)).toMatchObject({
    status,
    stderr,
  });
});
