import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  allowedHosts,
  readableRules,
  sandboxRules,
} from "../../../src/agent/sandbox/sandbox-rules.ts";
import { createPortBridges } from "../../../src/agent/sandbox/wrapped-command.ts";
import { isHarmlessGitConfig } from "../../../src/agent/tools/harmless-git-config.ts";
import { isThisMachine } from "../../../src/agent/tools/is-this-machine.ts";

async function homeWith(...names: string[]) {
  const home = await realpath(await mkdtemp(join(tmpdir(), "cairn-home-")));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  vi.stubEnv("HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of names) await mkdir(join(home, name), { recursive: true });
  expect(homedir()).toBe(home);
  const config = join(home, ".config/cairn");
  return { home, places: { userConfigDir: config, dataDir: join(home, ".local/share/cairn") } };
}

it("hide credentials, logins and cairn's folders; each credential names its files", async () => {
  const { home, places } = await homeWith(".ssh", ".aws", ".codex", ".config/cairn", "work");
  await writeFile(join(places.userConfigDir, "config.json"), "{}");
  const rules = sandboxRules({ ...places, projectRoot: join(home, "work") }, []);
  const { denyRead, credentials } = rules.filesystem;
  for (const path of [home, join(home, ".ssh"), join(home, ".codex"), places.userConfigDir]) {
    expect(denyRead).toContain(path);
  }
  expect(denyRead).toContain(places.dataDir);
  expect(credentials["git and ssh"]).toEqual([join(home, ".ssh")]);
  expect(credentials.AWS).toEqual([join(home, ".aws")]);
  const opened = readableRules(rules);
  expect(opened.filesystem).toEqual(rules.filesystem);
  expect(opened.network.isOpen).toBe(true);
});

it("make tools, caches, PATH entries and configured paths in the home folder readable", async () => {
  const { home, places } = await homeWith(
    ".cargo",
    ".nvm",
    "work",
    "tools/go/bin",
    "notes",
    "Mail",
  );
  const projectRoot = join(home, "work");
  const path = `/usr/bin:${join(home, "tools/go/bin")}`;
  const readable = [join(home, "notes")];
  const { allowRead } = sandboxRules({ ...places, projectRoot, path, readable }, []).filesystem;
  for (const name of [".cargo", ".nvm", "work", "tools/go", "notes"]) {
    expect(allowRead).toContain(join(home, name));
  }
  expect(allowRead).not.toContain(join(home, "Mail"));
  expect(allowRead).not.toContain(home);
});

it("protect files in the home folder that others execute, including cairn's future folders", async () => {
  const { home, places } = await homeWith(".ssh", ".local/bin", "bin");
  const { filesystem } = sandboxRules({ ...places, projectRoot: home }, []);
  for (const path of [".ssh", ".local", "bin", ".config/cairn", ".local/share/cairn"]) {
    expect(filesystem.denyWrite).toContain(join(home, path));
  }
});

it("the whole disk is not writable because cairn was started there", async () => {
  const { places } = await homeWith();
  const rules = sandboxRules({ ...places, projectRoot: "/" }, []);
  expect(rules.filesystem.allowWrite).not.toContain("/");
});

it("make only the project's caches writable, never the user's", async () => {
  const shared = [".npm/_cacache", ".cache/go-build", ".cache/ccache", ".gradle", ".cargo"];
  const { home, places } = await homeWith("work", "own", ...shared);
  const caches = { folder: join(home, "own"), readable: [] };
  const { filesystem } = sandboxRules({ ...places, projectRoot: join(home, "work"), caches }, []);
  expect(filesystem.allowWrite.filter((path) => path.startsWith(home))).toEqual([
    join(home, "work"),
    join(home, "own"),
  ]);
});

it("allow hosts by rule until a later rule revokes them", () => {
  const rule = (pattern: string | undefined, action: "allow" | "deny", tightens = false) => ({
    tool: "network",
    action,
    tightens,
    ...(pattern !== undefined && { pattern }),
  });
  const open = [rule("registry.npmjs.org", "allow"), rule("localhost:3000", "allow")];
  expect(allowedHosts(open)).toEqual(["registry.npmjs.org", "localhost:3000"]);
  expect(allowedHosts([...open, rule("localhost:3000", "deny")])).toEqual(["registry.npmjs.org"]);
  expect(allowedHosts([...open, rule(undefined, "deny")])).toEqual([]);
  expect(
    allowedHosts([rule("evil.test", "allow", true), rule("*", "allow"), rule("a b", "allow")]),
  ).toEqual([]);
  expect(createPortBridges(["registry.npmjs.org"])).toBe("");
  expect(createPortBridges(["localhost:3000"])).toContain("TCP-LISTEN:3000");
});

it.each([
  "localhost",
  "LOCALHOST.",
  "a.localhost",
  "127.0.0.1",
  "127.9.9.9",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0.0.0.0",
  "[::1]",
  "::",
  "::ffff:127.0.0.1",
  "169.254.169.254",
  "fe80::1",
])("%s is this machine", (host) => {
  expect(isThisMachine(host)).toBe(true);
});

it.each(["example.com", "1.1.1.1", "localhost.example.com", "2606:4700::1111"])(
  "%s is another",
  (host) => {
    expect(isThisMachine(host)).toBe(false);
  },
);

it.each([
  '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n',
  "",
  "# only a comment\n",
])("a config that runs nothing is harmless: %j", (text) => {
  expect(isHarmlessGitConfig(text)).toBe(true);
});

it.each([
  "[core]\n\tfsmonitor = evil",
  "[core] fsmonitor = evil",
  "[CORE]\n\tFsMonitor = evil",
  "[core]\n\tbare = false \\\n\tx\n",
  "[core]\n\thooksPath = .husky",
  "[include]\n\tpath = ../evil",
  '[includeIf "gitdir:/"]\n\tpath = ../evil',
  '[filter "x"]\n\tclean = evil',
  "[alias]\n\tst = !evil",
  '[remote "origin"]\n\turl = ext::sh -c evil',
  '[remote "origin"]\n\tuploadpack = evil',
  '[submodule "x"]\n\tupdate = !evil',
  "[core]\n\tsshCommand = evil",
  "[diff]\n\texternal = evil",
  '[credential "https://x"]\n\thelper = !evil',
  "[gpg]\n\tprogram = evil",
  "fsmonitor = evil",
  '[core "]"]\nfsmonitor = x',
])("a config that may run something is not: %j", (text) => {
  expect(isHarmlessGitConfig(text)).toBe(false);
});
