import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { formatExports, openPackageCaches } from "../../../src/agent/sandbox/package-caches.ts";

function makeHome(files: readonly string[] = []) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "cairn-home-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  vi.stubEnv("HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const file of files) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), `text of ${file}`);
  }
  const open = async (root: string, environment: Record<string, string> = {}) => {
    const caches = await openPackageCaches({ root, dataDir: join(home, "data"), environment });
    if (caches === undefined) throw new Error("no caches");
    return caches;
  };
  return { home, open };
}

it("isolates the caches of projects, and reuses them per project", async () => {
  const { open } = makeHome();
  const [one, other, again] = [await open("/one"), await open("/other"), await open("/one")];
  expect(one.folder).not.toBe(other.folder);
  expect(again).toEqual(one);
  for (const name of ["GOCACHE", "npm_config_cache", "CARGO_HOME", "PIP_CACHE_DIR"]) {
    expect(one.variables[name], name).toMatch(`${one.folder}/`);
  }
});

it("seeds caches by links, except files that every run writes", async () => {
  const crate = "registry/cache/index.crates.io-1/serde-1.0.0.crate";
  const { home, open } = makeHome([
    `.cargo/${crate}`,
    ".cargo/credentials.toml",
    ".cache/ms-playwright/chrome",
    ".cache/pip/http",
    "go/pkg/mod/cache/download/example.org/x/@v/list",
  ]);
  const { folder, variables, readable } = await open("/project");
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  expect(read(`cargo/${crate}`)).toBe(`text of .cargo/${crate}`);
  expect(existsSync(join(folder, "cargo/credentials.toml"))).toBe(false);
  expect(read("cache/ms-playwright/chrome")).toBe("text of .cache/ms-playwright/chrome");
  expect(existsSync(join(folder, "cache/pip"))).toBe(false);
  const modules = join(home, "go/pkg/mod/cache/download");
  expect(variables.GOPROXY).toBe(`file://${modules},https://proxy.golang.org,direct`);
  expect(readable).toContain(modules);
});

it("a proxy for Go that the user set stays behind the seed", async () => {
  const { home, open } = makeHome(["go/pkg/mod/cache/download/x", ".config/go/env"]);
  writeFileSync(join(home, ".config/go/env"), "GOPROXY=https://proxy.example.org\n");
  const { variables } = await open("/project");
  expect(variables.GOPROXY).toMatch(/^file:\/\/.*,https:\/\/proxy\.example\.org$/);
});

it("writes nothing into caches that commands could have changed", async () => {
  const { home, open } = makeHome([".cargo/registry/cache/r/x.crate", "elsewhere/file"]);
  const { folder } = await open("/project");
  rmSync(join(folder, "cargo"), { recursive: true });
  symlinkSync(join(home, "elsewhere"), join(folder, "cargo"));
  await open("/project");
  expect(existsSync(join(home, "elsewhere/registry"))).toBe(false);
});

it("removes caches unused for 60 days, without following links", async () => {
  const { home, open } = makeHome(["elsewhere/file"]);
  const { folder } = await open("/old");
  symlinkSync(join(home, "elsewhere"), join(folder, "link"));
  mkdirSync(join(folder, "go-mod/module"), { mode: 0o555 });
  const before = Date.now() / 1_000 - 61 * 24 * 60 * 60;
  utimesSync(folder, before, before);
  const { folder: other } = await open("/other");
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(other)).toBe(true);
  expect(existsSync(join(home, "elsewhere/file"))).toBe(true);
});

it("quotes paths for the shell", () => {
  const text = formatExports({ folder: "", readable: [], variables: { GOCACHE: "/it's here" } });
  expect(text).toBe("unset NPM_CONFIG_CACHE; export GOCACHE='/it'\\''s here'; ");
});
