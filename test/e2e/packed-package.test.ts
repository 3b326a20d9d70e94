// @module-tag long: the package is packed and installed.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { transform } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ANSWER, walkNewcomerPath } from "../../bench/support/newcomer-path.ts";
import { packOffline } from "../../scripts/pack-offline.ts";
import { textsOf } from "../support/blocks-of-pages.ts";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "../..");
const INSTALL_MS = 300_000;
/** Additional Node.js versions, as paths of their programs. */
const OTHER_NODES = (process.env.TEST_NODES ?? "").split(delimiter).filter((path) => path !== "");

let folder: string;
let tarball: string;

async function inFolder(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(program, args, { cwd: folder, env: environment() });
  return stdout;
}

function environment(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    CAIRN_DATA_DIR: join(folder, "data"),
    CAIRN_DAEMON: "off",
    CAIRN_DB: "default",
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-packed-"));
  const tsx = resolve(ROOT, "node_modules/.bin/tsx");
  // Already built by `npm ci` or `npm run build`; rebuilding could disturb other tests.
  if (!existsSync(join(ROOT, "dist/index.js"))) await run("npm", ["run", "build"], { cwd: ROOT });
  if (!existsSync(join(ROOT, "dist/index.d.ts"))) {
    await run(tsx, ["scripts/build-types.ts"], { cwd: ROOT });
  }
  await run(tsx, ["scripts/pack-runtimes.ts", "--current"], { cwd: ROOT });
  const packed = await run(
    "npm",
    ["pack", "--ignore-scripts", "--json", "--pack-destination", folder],
    { cwd: ROOT },
  );
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  tarball = join(folder, filename);
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  await run("npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", tarball], {
    cwd: folder,
  });
  // Copied, because compiling takes minutes and does not test this package.
  const native = "node_modules/better-sqlite3/build";
  await cp(join(ROOT, native), join(folder, native), { recursive: true });
}, INSTALL_MS);

afterAll(() => rm(folder, { recursive: true, force: true }));

it("contains everything a user needs, without source maps and sources", async () => {
  const inside = join(folder, "node_modules/cairn-memory");
  const files = await readdir(inside, { recursive: true });
  expect(files.filter((file) => file.endsWith(".map"))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "examples/library.ts", "dist/index.d.ts"]),
  );
  expect(files.filter((file) => /^(src|test|bench|scripts)(\/|$)/.test(file))).toEqual([]);
});

it("declares its types without those of the database drivers", async () => {
  const dist = join(folder, "node_modules/cairn-memory/dist");
  const declared = (await readdir(dist)).filter((file) => file.endsWith(".d.ts"));
  const imported = new Set<string>();
  for (const file of declared) {
    const text = await readFile(join(dist, file), "utf8");
    for (const [, name] of text.matchAll(/(?:from|import) '([^.'][^']*)'/g))
      imported.add(name ?? "");
  }
  expect([...imported]).toEqual(["zod"]);
});

it("remembers and recalls as a command", async () => {
  const cairn = join(folder, "node_modules/.bin/cairn");
  await inFolder(
    cairn,
    "remember",
    "The staging server lives in Bremen.",
    "--episode-type",
    "fact",
  );
  expect(await inFolder(cairn, "recall", "where is staging?")).toContain("Bremen");
});

it.each([process.execPath, ...OTHER_NODES])(
  "stores, recalls by meaning and exits cleanly under %s",
  async (node) => {
    const env = {
      ...environment(),
      PATH: [dirname(node), environment().PATH].join(delimiter),
      CAIRN_DB: "nodes",
      CAIRN_DATA_DIR: await mkdtemp(join(folder, "data-")),
    };
    const cairn = (...args: string[]) =>
      run(node, [join(folder, "node_modules/cairn-memory/bin/cairn.js"), ...args], {
        cwd: folder,
        env,
      });
    // Enough statements for some to be garbage-collected while none runs.
    const lines = Array.from({ length: 400 }, (_, at) => `remember "Room ${at} is painted blue."`);
    await writeFile(
      join(folder, "rooms.changes"),
      [...lines, 'remember "We deploy on Tuesdays."'].join("\n"),
    );
    const applied = await cairn("apply", "rooms.changes");
    expect(applied.stderr).toBe("");
    const found = await cairn("recall", "when is the release shipped out?");
    expect(found.stdout).toContain("We deploy on Tuesdays");
    expect(found.stderr).toBe("");
  },
  180_000,
);

it("answers a client's hooks, and stays silent on errors", async () => {
  const hook = async (event: string, input: string, ...flags: string[]) => {
    const args = ["hook", "claude-code", event, "--timeout", "60000", ...flags];
    const child = run(join(folder, "node_modules/.bin/cairn"), args, {
      cwd: folder,
      env: environment(),
    });
    child.child.stdin?.end(input);
    const { stdout, stderr } = await child;
    return { context: contextIn(stdout), stderr };
  };
  const started = await hook("session-start", '{"session_id": "one"}');
  expect(started.context).toContain("staging server");
  const response = await hook("prompt", '{"session_id": "two", "prompt": "Is staging in Bremen?"}');
  expect(response.context).toContain("staging server");
  const broken = await hook("prompt", "{", "--unknown");
  expect(broken).toEqual({ context: "", stderr: "" });
  expect((await hook("prompt", "{", "--debug")).stderr).toContain("JSON");
});

const contextIn = (printed: string): string =>
  printed === "" ? "" : JSON.parse(printed).hookSpecificOutput.additionalContext;

it("serves MCP on stdio", async () => {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: join(folder, "node_modules/.bin/cairn"),
      args: ["mcp"],
      cwd: folder,
      env: environment(),
    }),
  );
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("recall");
  } finally {
    await client.close();
  }
});

it("runs the library example, which compiles against the declarations", async () => {
  const source = await readFile(
    join(folder, "node_modules/cairn-memory/examples/library.ts"),
    "utf8",
  );
  await writeFile(join(folder, "library.ts"), source);
  const options = {
    target: "es2022",
    lib: ["es2022", "esnext.disposable"],
    module: "nodenext",
    strict: true,
    noEmit: true,
    types: ["node"],
    typeRoots: [resolve(ROOT, "node_modules/@types")],
  };
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: ["library.ts"] }),
  );
  await run(resolve(ROOT, "node_modules/.bin/tsc"), ["-p", "."], { cwd: folder });
  const { code } = await transform(source, { loader: "ts", target: "node20", format: "esm" });
  await writeFile(join(folder, "library.js"), code);
  const printed = await inFolder(process.execPath, "library.js", "library.db");
  expect(printed).toContain("Postgres table");
  expect(printed).toContain("not_found");
}, 180_000);

it("runs the program of the README", async () => {
  const [program = ""] = textsOf("README.md", "ts");
  await writeFile(join(folder, "readme.js"), `${program}console.log(formatted);\n`);
  expect(await inFolder(process.execPath, "readme.js")).toContain("We deploy on Tuesdays.");
});

it("searches lines in a worker thread", async () => {
  const worker = join(folder, "node_modules/cairn-memory/dist/search.worker.js");
  const program = `
    const { Worker } = require("node:worker_threads");
    const workerData = { kind: "lines", lines: ["abc", "xyz"], pattern: "b.", limit: 5 };
    new Worker(${JSON.stringify(worker)}, { workerData }).once("message", (found) => console.log(found));
  `;
  expect((await inFolder(process.execPath, "-e", program)).trim()).toBe("[ 0 ]");
});

it("installs offline from one file, connects, imports sessions, and answers why", async () => {
  const file = join(folder, "cairn-offline.tgz");
  await packOffline(folder, file);
  const root = await mkdtemp(join(folder, "newcomer-"));
  const steps = await walkNewcomerPath(root, file);
  const printed = (about: string) => steps.filter(({ command }) => command.includes(about));
  const config = JSON.parse(await readFile(join(root, "home/.claude.json"), "utf8"));
  expect(config.mcpServers.cairn.args.at(0)).toContain("node_modules/cairn-memory");
  expect(printed("import")[0]?.stdout).toContain("4 new passages");
  expect(printed("recall")).toHaveLength(2);
  for (const { stdout } of printed("recall")) expect(stdout).toContain(ANSWER);
}, 360_000);
