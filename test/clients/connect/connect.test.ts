import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  copyProgramIfTemporary,
  readServerEntry,
  removePassword,
  stableRoot,
} from "../../../src/clients/connect/index.ts";
import { clients, findLocations } from "../../../src/clients/index.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../../support/run-cli.ts";

async function run(folders: CliFolders, ...args: string[]) {
  return runInProcess(folders, ["connect", ...args]);
}

const placesOf = (folders: CliFolders) =>
  findLocations({ env: { HOME: folders.home }, cwd: folders.project });

describe.each(clients.map((client) => [client.name, client] as const))("%s", (name, client) => {
  it("connects with absolute paths and disconnects", async () => {
    const folders = createCliFolders();
    expect(await run(folders, name, "--yes")).toMatchObject({ code: 0 });

    for (const scope of ["user"] as const) {
      const entry = readServerEntry(placesOf(folders), client, scope);
      expect(entry?.command).toBe(process.execPath);
      expect(entry?.args).toEqual([
        expect.stringMatching(/^\/.*bin\/cairn\.js$/),
        "mcp",
        "--data-dir",
        folders.dataDir,
        "--tools",
        "core",
      ]);
      expect(entry?.env).toEqual({ CAIRN_EMBEDDING_PROVIDER: "none" });
    }

    const again = await run(folders, name, "--yes", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ status: "unchanged", files: [] });
    const listed = JSON.parse((await run(folders, "--json")).stdout);
    const own = listed.clients.find((state: { client: string }) => state.client === name);
    expect(own.scopes[0]).toMatchObject({ scope: "user", state: "connected" });

    expect(await run(folders, name, "--remove", "--yes")).toMatchObject({ code: 0 });
    expect(readServerEntry(placesOf(folders), client, "user")).toBeUndefined();
    const gone = await run(folders, name, "--remove", "--yes", "--json");
    expect(JSON.parse(gone.stdout)).toMatchObject({ status: "unchanged" });
    expect(readdirSync(folders.home)).toEqual([]);
  });
});

describe("connect", () => {
  it.each(clients)("reports which calls the config of $name pre-approves", async (client) => {
    const folders = createCliFolders();
    const { stdout } = await run(folders, client.name, "--yes");
    const texts = readdirSync(folders.home, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && !file.name.endsWith(".md"))
      .map((file) => readFileSync(join(file.parentPath, file.name), "utf8"));
    const approves = /allow|approv|trust/i.test(texts.join("\n"));
    expect(approves).toBe(client.approves !== undefined);
    if (client.approves !== undefined) expect(stdout).toContain(client.approves);
    expect(texts.join("\n")).not.toContain("npx");
  });

  it("connects a copy of a program that runs from npx's cache, and removes unused copies", async () => {
    const { dataDir } = createCliFolders();
    const packageRoot = join(dataDir, "_npx", "1a2b", "node_modules", "cairn-memory");
    const programs = join(dataDir, "programs");
    mkdirSync(join(packageRoot, "bin"), { recursive: true });
    writeFileSync(join(packageRoot, "bin", "cairn.js"), "");
    mkdirSync(join(packageRoot, "..", "dependency"));
    for (const version of ["0.1.0", "0.1.1"])
      mkdirSync(join(programs, version), { recursive: true });
    const options = { packageRoot, programs, version: "0.2.0" };
    await copyProgramIfTemporary(options, () => [`node ${join(programs, "0.1.1")}/bin/cairn.js`]);
    expect(existsSync(join(stableRoot(options), "bin", "cairn.js"))).toBe(true);
    expect(existsSync(join(stableRoot(options), "..", "dependency"))).toBe(true);
    expect(readdirSync(programs).sort()).toEqual(["0.1.1", "0.2.0"]);
    const installed = { ...options, packageRoot: "/usr/lib/node_modules/cairn-memory" };
    expect(stableRoot(installed)).toBe(installed.packageRoot);
  });

  it("writes a hook program and removes it again", async () => {
    const folders = createCliFolders();
    const file = join(folders.home, ".config", "opencode", "plugins", "cairn.js");
    await run(folders, "opencode", "--yes");
    expect(readFileSync(file, "utf8")).toContain("hook opencode session-start");
    await run(folders, "opencode", "--remove", "--yes");
    expect(existsSync(file)).toBe(false);
  });

  it("explains capture and how to disable it before confirmation", async () => {
    const { stdout } = await run(createCliFolders(), "claude-code");
    expect(stdout).toContain("store session messages");
    expect(stdout).toContain('"off": ["sessions"]');
    const without = await run(createCliFolders(), "zed");
    expect(without.stdout).not.toContain("store session messages");
  });

  it("previews without writing in a dry run and without a terminal", async () => {
    const folders = createCliFolders();
    const dry = await run(folders, "codex", "--dry-run");
    expect(dry.stdout).toContain("+[mcp_servers.cairn]");
    expect(dry.code).toBe(0);
    const unasked = await run(folders, "codex");
    expect(unasked).toMatchObject({ code: 1, stderr: expect.stringContaining("--yes") });
    expect(readdirSync(folders.home)).toEqual([]);
  });

  it("preserves comments, order and file mode, and creates a backup", async () => {
    const folders = createCliFolders();
    const file = join(folders.home, ".codex", "config.toml");
    const before = '# mine\nmodel = "x" # keep\n\n[mcp_servers.other] # theirs\ncommand = "foo"\n';
    mkdirSync(dirname(file));
    writeFileSync(file, before, { mode: 0o640 });
    await run(folders, "codex", "--yes");
    const after = readFileSync(file, "utf8");
    expect(after.startsWith(before)).toBe(true);
    expect(after).toContain("required = true");
    expect(after).not.toContain("default_tools_approval_mode");
    expect(after).toContain('approval_mode = "approve"');
    const backup = readdirSync(dirname(file)).find((name) => name.includes(".before-cairn-"));
    expect(readFileSync(join(dirname(file), backup ?? ""), "utf8")).toBe(before);
    await run(folders, "codex", "--remove", "--yes");
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("preserves other hooks and updates its own after a move", async () => {
    const folders = createCliFolders();
    const file = join(folders.home, ".claude", "settings.json");
    const theirs = { hooks: [{ type: "command", command: "date" }] };
    const old = "/old/node /old/cairn/bin/cairn.js hook claude-code session-start";
    const ours = { hooks: [{ type: "command", command: old }] };
    mkdirSync(dirname(file));
    writeFileSync(file, JSON.stringify({ hooks: { SessionStart: [ours, theirs] } }, null, 2));
    await run(folders, "claude-code", "--yes");
    const { SessionStart } = JSON.parse(readFileSync(file, "utf8")).hooks;
    expect(SessionStart).toHaveLength(2);
    expect(SessionStart[0]).toEqual(theirs);
    expect(SessionStart[1].hooks[0].command).toContain(process.execPath);
    await run(folders, "claude-code", "--remove", "--yes");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ hooks: { SessionStart: [theirs] } });
  });

  it("installs no hooks with --no-hooks", async () => {
    const folders = createCliFolders();
    await run(folders, "claude-code", "--no-hooks", "--yes");
    expect(existsSync(join(folders.home, ".claude.json"))).toBe(true);
    expect(existsSync(join(folders.home, ".claude", "settings.json"))).toBe(false);
  });

  it("writes the project's config on request, and reports clients without one", async () => {
    const folders = createCliFolders();
    await run(folders, "claude-code", "--project", "--yes", "--db", "shop", "--tools", "core");
    const { mcpServers } = JSON.parse(readFileSync(join(folders.project, ".mcp.json"), "utf8"));
    expect(mcpServers.cairn.args.slice(-4)).toEqual(["--db", "shop", "--tools", "core"]);
    const refused = await run(folders, "goose", "--project", "--yes");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--project") });
  });

  it("reports a shell secret instead of writing it to a config", async () => {
    const folders = createCliFolders();
    const result = await runInProcess(folders, ["connect", "cursor", "--yes", "--no-hooks"], {
      env: { CAIRN_EMBEDDING_API_KEY: "sk-very-secret" },
    });
    expect(result.stderr).toContain("CAIRN_EMBEDDING_API_KEY");
    expect(readFileSync(join(folders.home, ".cursor", "mcp.json"), "utf8")).not.toContain("secret");
  });

  it("suggests the nearest client for a typo", async () => {
    const result = await run(createCliFolders(), "claude-cod");
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('"claude-code"') });
  });

  it("passes on the shell's PostgreSQL URL without password, and reports it", async () => {
    const folders = createCliFolders();
    const result = await runInProcess(folders, ["connect", "claude-code", "--yes"], {
      env: { CAIRN_DATABASE: "postgres://ada:s3cret@db1:5432/shop?sslmode=require" },
    });
    expect(result.stderr).toContain(".pgpass");
    const entry = JSON.parse(readFileSync(join(folders.home, ".claude.json"), "utf8"));
    const { args } = entry.mcpServers.cairn;
    const address = "postgres://ada@db1:5432/shop?sslmode=require";
    expect(args.slice(args.indexOf("--database"))).toEqual([
      "--database",
      address,
      "--tools",
      "core",
    ]);
    const hooks = readFileSync(join(folders.home, ".claude", "settings.json"), "utf8");
    expect(hooks).toContain(`--database '${address}'`);
    for (const text of [hooks, JSON.stringify(entry)]) expect(text).not.toContain("s3cret");
    const flagged = await run(folders, "cursor", "--yes", "--database", "postgres://db2/shop");
    expect(flagged.stderr).not.toContain(".pgpass");
    expect(readFileSync(join(folders.home, ".cursor", "mcp.json"), "utf8")).toContain(
      "postgres://db2/shop",
    );
  });

  it.each(["", "?password=s3cret", "?password=s3cret&sslmode=require"])(
    "removes every form of password from a URL: %s",
    (more) => {
      const output = removePassword(`postgresql://ada:s3%40cret@db1,db2:5433/shop${more}`);
      expect(output).toMatch(/^postgresql:\/\/ada@db1,db2:5433\/shop(\?sslmode=require)?$/);
    },
  );

  it.each(clients.filter(({ scopes }) => scopes.includes("project")).map(({ name }) => name))(
    "writes nothing user- or machine-specific to a shared file of %s",
    async (name) => {
      const folders = createCliFolders();
      await runInProcess(folders, ["connect", name, "--project", "--yes"], {
        env: { CAIRN_DATABASE: "postgres://ada@db1/shop", CAIRN_EMBEDDING_MODEL: "/models/mine" },
      });
      const files = readdirSync(folders.project, { recursive: true, withFileTypes: true });
      const texts = files
        .filter((file) => file.isFile())
        .map((file) => readFileSync(join(file.parentPath, file.name), "utf8"));
      expect(texts.join("\n")).toContain("cairn-memory@");
      for (const own of [
        folders.home,
        folders.dataDir,
        process.execPath,
        "cairn.js",
        "db1",
        "mine",
      ]) {
        expect(texts.join("\n")).not.toContain(own === "cairn.js" ? "bin/cairn.js" : own);
      }
      const removed = await run(folders, name, "--project", "--remove", "--yes");
      expect(removed.code).toBe(0);
      expect(readdirSync(folders.project)).toEqual([]);
    },
  );

  it("preserves the user's additions to cairn's entry on reconnect", async () => {
    const folders = createCliFolders();
    const file = join(folders.home, ".claude.json");
    await run(folders, "claude-code", "--yes");
    const config = JSON.parse(readFileSync(file, "utf8"));
    config.mcpServers.cairn.timeout = 9000;
    config.mcpServers.cairn.env.HTTPS_PROXY = "http://proxy:3128";
    writeFileSync(file, JSON.stringify(config));
    const listed = JSON.parse((await run(folders, "--json")).stdout);
    const own = listed.clients.find(({ client }: { client: string }) => client === "claude-code");
    expect(own.scopes[0].state).toBe("connected");
    await run(folders, "claude-code", "--yes", "--tools", "core");
    const { cairn } = JSON.parse(readFileSync(file, "utf8")).mcpServers;
    expect(cairn).toMatchObject({ timeout: 9000, env: { HTTPS_PROXY: "http://proxy:3128" } });
    expect(cairn.args.slice(-2)).toEqual(["--tools", "core"]);
  });

  it("replaces an entry of another kind completely", async () => {
    const folders = createCliFolders();
    const file = join(folders.home, ".claude.json");
    const remote = { type: "http", url: "https://memory.example.org/mcp" };
    writeFileSync(file, JSON.stringify({ mcpServers: { cairn: remote } }));
    await run(folders, "claude-code", "--yes");
    expect(JSON.parse(readFileSync(file, "utf8")).mcpServers.cairn).not.toHaveProperty("url");
  });

  it("restores the original file without backups after four rounds", async () => {
    const folders = createCliFolders();
    const file = join(folders.home, ".claude.json");
    writeFileSync(file, "{}");
    for (const tools of ["all", "core", "all", "core"]) {
      await run(folders, "claude-code", "--yes", "--tools", tools);
      await run(folders, "claude-code", "--yes");
      await run(folders, "claude-code", "--remove", "--yes");
    }
    expect(readdirSync(folders.home)).toEqual([".claude.json"]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({});
  });
});
