import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../../support/run-cli.ts";

const connect = (folders: CliFolders, client: string) =>
  runInProcess(folders, ["connect", client, "--yes"]);

function withFile(name: string, content: string | Buffer) {
  const place = createCliFolders();
  const file = join(place.home, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return { place, file };
}

describe("a config that cannot be changed safely stays unchanged", () => {
  it.each([
    ["claude-code", ".claude.json", '{ "mcpServers": { ', "not valid JSON: line 1"],
    ["claude-code", ".claude.json", "[]", "not a map"],
    ["claude-code", ".claude.json", '{ "mcpServers": [] }', '"mcpServers" is not a map'],
    [
      "claude-code",
      ".claude/settings.json",
      '{ "hooks": { "Stop": 1, "SessionStart": {} } }',
      "not a list",
    ],
    ["codex", ".codex/config.toml", 'model = "x\n[a', "not valid TOML"],
    ["codex", ".codex/config.toml", "mcp_servers = 3\n", '"mcp_servers" is not a map'],
    ["goose", ".config/goose/config.yaml", "a: [1\nb: 2", "not valid YAML"],
    ["goose", ".config/goose/config.yaml", "- a\n- b\n", "not a map"],
    ["continue", ".continue/config.yaml", "mcpServers: 5\n", "not a list"],
  ])("%s: %s holding %j", async (client, name, content, problem) => {
    const { place, file } = withFile(name, content);
    const result = await connect(place, client);
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain(problem);
    expect(readFileSync(file, "utf8")).toBe(content);
    expect(readdirSync(dirname(file))).toEqual([name.split("/").at(-1)]);
  });

  it("is not text", async () => {
    const { place, file } = withFile(".claude.json", Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    expect((await connect(place, "claude-code")).stderr).toContain("not UTF-8");
    expect(readFileSync(file)).toHaveLength(4);
  });

  it("is read-only", async () => {
    const { place, file } = withFile(".claude.json", "{}");
    chmodSync(file, 0o444);
    expect((await connect(place, "claude-code")).stderr).toContain("read-only");
    expect(readFileSync(file, "utf8")).toBe("{}");
  });

  it("is a folder", async () => {
    const folders = createCliFolders();
    mkdirSync(join(folders.home, ".claude.json"));
    expect((await connect(folders, "claude-code")).stderr).toContain("is not a file");
  });

  it("is far too large", async () => {
    const { place, file } = withFile(".claude.json", "{}");
    truncateSync(file, 65 * 1024 * 1024);
    expect((await connect(place, "claude-code")).stderr).toContain("larger than 64 MiB");
  });

  it("is a link that leads nowhere", async () => {
    const folders = createCliFolders();
    symlinkSync(join(folders.home, "gone.json"), join(folders.home, ".claude.json"));
    expect((await connect(folders, "claude-code")).stderr).toContain("symbolic link");
  });

  it("is listed as broken next to valid ones", async () => {
    const { place } = withFile(".claude.json", "{");
    const result = await runInProcess(place, ["connect"]);
    expect(result.stdout).toMatch(/claude-code\s+broken/);
  });
});

describe("a config in an unusual format", () => {
  it("is changed through a link, which is preserved", async () => {
    const { place, file } = withFile("dotfiles/claude.json", "{}");
    const link = join(place.home, ".claude.json");
    symlinkSync(file, link);
    expect(await connect(place, "claude-code")).toMatchObject({ code: 0 });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, "utf8")).toContain('"cairn"');
  });

  it("preserves byte order mark, line endings and tabs", async () => {
    const { place, file } = withFile(".claude.json", '\uFEFF{\r\n\t"a": 1 // one\r\n}\r\n');
    expect(await connect(place, "claude-code")).toMatchObject({ code: 0 });
    const after = readFileSync(file, "utf8");
    expect(after).toMatch(/^\uFEFF\{\r\n\t"a": 1,? ?\/\/ one/);
    expect(after).toContain('\r\n\t"mcpServers": {\r\n\t\t"cairn"');
    expect(after.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("is an inline table of TOML", async () => {
    const { place, file } = withFile(
      ".codex/config.toml",
      'mcp_servers = { other = { command = "foo" } }\n',
    );
    expect(await connect(place, "codex")).toMatchObject({ code: 0 });
    const after = readFileSync(file, "utf8");
    expect(after).toContain("other");
    expect(after).toContain("cairn");
  });
});
