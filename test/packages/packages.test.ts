import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { renderPackageFiles } from "../../scripts/generate-packages.ts";
import { packBundle } from "../../scripts/pack-bundle.ts";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

const files = renderPackageFiles();
const read = (file: string): unknown => JSON.parse(files.get(file) ?? "null");

it.each([...files.keys()])("%s is as the script makes it", (file) => {
  expect(readFileSync(file, "utf8")).toBe(files.get(file));
});

it("the bundle's manifest starts the program that the bundle contains", () => {
  const { server } = read("packages/mcpb/manifest.json") as { server: { entry_point: string } };
  expect(files.has(`packages/mcpb/${server.entry_point}`)).toBe(true);
});

it("the archive contains only the bundle", () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-bundle-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  packBundle(join(folder, "cairn.mcpb"));
  const archive = unzipSync(readFileSync(join(folder, "cairn.mcpb")));
  const texts = Object.entries(archive).map(([name, bytes]) => [
    `packages/mcpb/${name}`,
    strFromU8(bytes),
  ]);
  const wanted = [...files].filter(([name]) => name.startsWith("packages/mcpb/"));
  expect(Object.fromEntries(texts)).toEqual(Object.fromEntries(wanted));
});

/** Rules of the registry's documentation for `server.json`. */
const registryEntry = z.strictObject({
  $schema: z.url(),
  name: z
    .string()
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    .max(200),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+/)
    .max(255),
  packages: z.array(
    z.strictObject({
      registryType: z.enum(["npm", "pypi", "oci", "nuget", "mcpb"]),
      identifier: z.string().min(1),
      version: z.string().regex(/^\d/),
      runtimeHint: z.enum(["npx", "uvx", "docker", "dnx"]),
      transport: z.strictObject({ type: z.literal("stdio") }),
      packageArguments: z.array(
        z.discriminatedUnion("type", [
          z.strictObject({ type: z.literal("positional"), value: z.string() }),
          z.strictObject({
            type: z.literal("named"),
            name: z.string().startsWith("--"),
            description: z.string(),
            isRequired: z.boolean(),
          }),
        ]),
      ),
      environmentVariables: z.array(
        z.strictObject({
          name: z.string().regex(/^CAIRN_/),
          description: z.string(),
          format: z.enum(["string", "number", "boolean", "filepath"]),
          isRequired: z.boolean(),
        }),
      ),
    }),
  ),
});

const person = z.strictObject({ name: z.string().min(1) });
const kebab = z.string().regex(/^[a-z][a-z0-9-]*$/);
const plugin = z.strictObject({
  name: kebab,
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  description: z.string().min(1),
  author: person,
  license: z.string(),
  keywords: z.array(z.string()),
});
const command = z.strictObject({ command: z.literal("npx"), args: z.array(z.string()).min(3) });
const hooks = z.strictObject({
  hooks: z.record(
    z.string(),
    z.array(
      z.strictObject({
        matcher: z.string().optional(),
        hooks: z.array(
          z.strictObject({
            type: z.literal("command"),
            command: z.string(),
            timeout: z.number(),
            name: z.string().optional(),
          }),
        ),
      }),
    ),
  ),
});

it.each([
  ["server.json", registryEntry],
  [
    ".claude-plugin/marketplace.json",
    z.strictObject({
      name: kebab,
      owner: person,
      metadata: z.strictObject({ description: z.string(), version: z.string() }),
      plugins: z.array(
        plugin.extend({ source: z.string().startsWith("./"), category: z.string() }),
      ),
    }),
  ],
  ["packages/claude-code/.claude-plugin/plugin.json", plugin],
  ["packages/claude-code/.mcp.json", z.strictObject({ mcpServers: z.record(z.string(), command) })],
  ["packages/claude-code/hooks/hooks.json", hooks],
  ["packages/gemini/hooks/hooks.json", hooks],
  [
    "packages/gemini/gemini-extension.json",
    z.strictObject({
      name: kebab,
      version: z.string(),
      description: z.string(),
      contextFileName: z.string(),
      mcpServers: z.record(z.string(), command),
    }),
  ],
] as const)("%s is of the documented form", (file, schema) => {
  expect(() => schema.parse(read(file))).not.toThrow();
});

it("the marketplace plugin exists at its path", () => {
  const marketplace = read(".claude-plugin/marketplace.json") as { plugins: { source: string }[] };
  expect(existsSync(`${marketplace.plugins[0]?.source}/.claude-plugin/plugin.json`)).toBe(true);
});

describe("the commands of the packages", () => {
  it("are commands that cairn has", async () => {
    const args = [...files.values()].flatMap(
      (text) => text.match(/hook (?:claude-code|gemini) [a-z-]+/g) ?? [],
    );
    expect(args.length).toBeGreaterThan(8);
    for (const words of args) {
      const inputs = [...words.split(" "), "--debug"];
      const { stderr } = await runInProcess(createCliFolders(), inputs, { stdin: "{}" });
      expect(stderr).toContain("nothing to report");
    }
  });
});

const hasDocker = spawnSync("docker", ["info"], { stdio: "ignore" }).status === 0;

describe("the Dockerfile", () => {
  it("contains valid instructions, runs unprivileged and stores data in a volume", () => {
    const lines = (files.get("Dockerfile") ?? "").replaceAll("\\\n", " ").split("\n");
    const used = lines
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split(" ")[0]);
    const known =
      "FROM WORKDIR RUN LABEL COPY USER ENV VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD".split(" ");
    expect(used.filter((word) => !known.includes(word ?? ""))).toEqual([]);
    expect(used.lastIndexOf("USER")).toBeGreaterThan(used.lastIndexOf("RUN"));
    expect(used[0]).toBe("FROM");
    for (const line of lines.filter((each) => /^(?:CMD|ENTRYPOINT)/.test(each))) {
      expect(JSON.parse(line.replace(/^[A-Z]+ /, ""))).toBeInstanceOf(Array);
    }
  });

  it.runIf(hasDocker)("builds and serves", { timeout: 1_800_000 }, async () => {
    const docker = (...args: string[]) => spawnSync("docker", args, { encoding: "utf8" });
    const built = docker("build", "-q", ".");
    expect(built.stderr).toBe("");
    const flags = ["run", "-d", "--rm", "-p", "127.0.0.1::7433", "-e", "CAIRN_TOKEN=secret"];
    const container = docker(...flags, built.stdout.trim()).stdout.trim();
    onTestFinished(() => void docker("rm", "-f", container));
    const address = docker("port", container, "7433").stdout.trim();
    await expect
      .poll(
        () =>
          fetch(`http://${address}/health`, { headers: { authorization: "Bearer secret" } }).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: 30_000 },
      )
      .toBe(true);
  });
});

describe("the launcher in the packages", () => {
  const version = (read("packages/gemini/gemini-extension.json") as { version: string }).version;

  function createMachine({ holds }: { readonly holds: boolean }) {
    const root = mkdtempSync(join(tmpdir(), "cairn launcher "));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const bin = join(root, "bin");
    const program = join(root, "npx", "node_modules", "cairn-memory");
    mkdirSync(join(program, "bin"), { recursive: true });
    mkdirSync(bin);
    if (holds) {
      writeFileSync(join(program, "package.json"), JSON.stringify({ version, type: "module" }));
      writeFileSync(
        join(program, "bin", "cairn.js"),
        'import { readFileSync } from "node:fs"; console.log(process.argv.slice(2).join(" ") + ": " + readFileSync(0, "utf8"));',
      );
    }
    const folder = join(root, "npx", "node_modules", ".bin");
    const npx = `#!/bin/sh\necho "$@" >> "${join(root, "asked")}"\ncase "$*" in *process.env.PATH*) echo "${folder}:$PATH";; *) echo "by npx: $*";; esac\n`;
    writeFileSync(join(bin, "npx"), npx, { mode: 0o755 });
    const script = join(root, "cairn.mjs");
    writeFileSync(script, files.get("packages/claude-code/hooks/cairn.mjs") ?? "");
    const env = {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: root,
      XDG_CACHE_HOME: join(root, "cache"),
      CAIRN_DAEMON: "off",
    };
    const start = (...args: string[]) =>
      spawnSync(process.execPath, args, { env, input: "{}", encoding: "utf8" });
    const hook = () => start(script, "hook", "claude-code", "prompt");
    const asked = () => readFileSync(join(root, "asked"), "utf8").trim().split("\n");
    return { root, bin, start, hook, asked, program };
  }

  it("runs npx once per version, and starts the program directly from then on", () => {
    const { hook, asked, program } = createMachine({ holds: true });
    for (let count = 0; count < 3; count += 1) {
      expect(hook()).toMatchObject({
        status: 0,
        stdout: "hook claude-code prompt: {}\n",
        stderr: "",
      });
    }
    expect(asked()).toHaveLength(1);
    rmSync(join(program, "bin"), { recursive: true });
    hook();
    expect(asked().length).toBeGreaterThan(1);
  });

  it("falls back to npx if the package is missing", () => {
    const { hook, asked } = createMachine({ holds: false });
    const args = `-y cairn-memory@${version} hook claude-code prompt`;
    expect(hook()).toMatchObject({ status: 0, stdout: `by npx: ${args}\n` });
    expect(asked()).toHaveLength(2);
  });

  it("starts the server of the bundle, asking npx once too", () => {
    const { root, start, asked } = createMachine({ holds: true });
    const server = join(root, "index.mjs");
    writeFileSync(server, files.get("packages/mcpb/server/index.mjs") ?? "");
    for (let count = 0; count < 2; count += 1) {
      expect(start(server, "--db", "mine")).toMatchObject({ stdout: "mcp --db mine: {}\n" });
    }
    expect(asked()).toHaveLength(1);
  });

  it("runs the hooks of opencode's plugin, asking npx once too", () => {
    const { root, start, asked } = createMachine({ holds: true });
    writeFileSync(join(root, "plugin.mjs"), files.get("packages/opencode/cairn.js") ?? "");
    const session = join(root, "session.mjs");
    writeFileSync(
      session,
      `import { CairnMemory } from "./plugin.mjs";
const plugin = await CairnMemory({ client: {}, directory: "." });
for (const text of ["one", "two"]) {
  const parts = [{ id: "p", type: "text", text }];
  await plugin["chat.message"]({ sessionID: "s" }, { message: {}, parts });
  console.log(parts[1].text);
}`,
    );
    const { stdout, stderr } = start(session);
    expect(stderr).toBe("");
    expect(stdout).toContain('hook opencode session-start: {"session_id":"s"');
    expect(stdout.match(/hook opencode prompt: /g)).toHaveLength(2);
    expect(asked()).toHaveLength(1);
  });

  it("runs no npx if the package is installed, and ignores others of its name", () => {
    const { bin, start, hook, asked, program, root } = createMachine({ holds: true });
    const other = join(root, "other", "bin");
    mkdirSync(other, { recursive: true });
    writeFileSync(join(root, "other", "package.json"), JSON.stringify({ name: "cairn", version }));
    writeFileSync(join(other, "cairn.js"), "console.log('another program')");
    symlinkSync(join(other, "cairn.js"), join(bin, "cairn"));
    expect(hook().stdout).toBe("hook claude-code prompt: {}\n");
    expect(asked()).toHaveLength(1);
    rmSync(join(bin, "cairn"));
    rmSync(join(root, "cache"), { recursive: true });
    symlinkSync(join(program, "bin", "cairn.js"), join(bin, "cairn"));
    expect(start(join(root, "cairn.mjs"), "hook", "gemini", "stop").stdout).toBe(
      "hook gemini stop: {}\n",
    );
    expect(asked()).toHaveLength(1);
  });
});
