import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished, test, vi } from "vitest";
import { KeyBroker } from "../../../src/agent/broker/key-broker.ts";
import { sandboxRules } from "../../../src/agent/sandbox/sandbox-rules.ts";

const PASSWORD = "sekret-index-password";
const TOKEN = "sekret-cargo-token";
const run = promisify(execFile);
const PATH = process.env.PATH ?? "";

/** A registry that answers by path, and what it was asked with which key. */
async function serve(pages: Record<string, string | Buffer | { to: string }>) {
  const got: (readonly [string, string | undefined])[] = [];
  const server = createServer((asked, answer) => {
    got.push([`${asked.method} ${asked.url}`, asked.headers.authorization]);
    const page = pages[asked.url ?? ""];
    if (page === undefined) answer.writeHead(404).end();
    else if (typeof page === "string" || Buffer.isBuffer(page)) {
      const isPage = typeof page === "string" && page.startsWith("<");
      answer.writeHead(200, { "content-type": isPage ? "text/html" : "application/octet-stream" });
      answer.end(page);
    } else answer.writeHead(302, { location: page.to }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { got, pages, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function place() {
  const home = await mkdtemp(join(homedir(), ".cairn-registries-test-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  vi.stubEnv("HOME", home);
  for (const name of ["PIP_FIND_LINKS", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"])
    vi.stubEnv(name, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const project = join(home, "project");
  await mkdir(join(home, ".config/pip"), { recursive: true });
  await mkdir(join(home, ".cargo"), { recursive: true });
  await mkdir(join(project, "src"), { recursive: true });
  const uses: string[] = [];
  const open = async (further: Readonly<Record<string, string>> = {}) => {
    const broker = await KeyBroker.open({
      ...{ projectRoot: project, environment: { PATH, HOME: home, ...further } },
      onUse: async (use) => void uses.push(use),
    });
    onTestFinished(() => broker?.close());
    return broker;
  };
  return { home, project, uses, open };
}

function basic(password: string): string {
  return `Basic ${Buffer.from(`me:${password}`).toString("base64")}`;
}

it("reads of a package index its pages and what they name, and nothing else of that host", async () => {
  const { home, open, uses } = await place();
  const other = await serve({ "/files/b-1.whl": "b" });
  const index = await serve({});
  Object.assign(index.pages, {
    "/simple/a/": `<a href="../../files/a-1.whl#sha256=1">a</a><a href='${index.origin}/files/c-1.whl'>c</a><a href="${other.origin}/files/b-1.whl">b</a>`,
    ...{ "/files/a-1.whl": "a", "/files/c-1.whl": { to: `${other.origin}/files/b-1.whl` } },
    "/api/secrets": "all",
  });
  const { host } = new URL(index.origin);
  await writeFile(
    join(home, ".config/pip/pip.conf"),
    `[global]\ntimeout = 5\nextra-index-url =\n    https://pypi.example.test/simple\n    http://me:${PASSWORD}@${host}/simple/\n`,
  );
  const broker = await open();
  const before = broker?.lend("cd x && pip install -r requirements.txt")?.before ?? "";
  expect(before).not.toContain(PASSWORD);
  expect(before).not.toContain("PIP_INDEX_URL");
  const [, address = ""] =
    /PIP_EXTRA_INDEX_URL='https:\/\/pypi\.example\.test\/simple (.*?)'/.exec(before) ?? [];
  expect((await fetch(`${address.replace("/simple/", "")}/files/a-1.whl`)).status).toBe(403);
  const page = await (await fetch(`${address}a/`)).text();
  const links = [...page.matchAll(/href="(.*?)"/g)].map(([, link = ""]) => link);
  expect(page).toContain(`${other.origin}/files/b-1.whl`);
  expect(await (await fetch(links[0] ?? "")).text()).toBe("a");
  // Where a file lies elsewhere, the program goes there by itself and without a key.
  expect(await (await fetch(links[1] ?? "")).text()).toBe("b");
  const root = address.replace("/simple/", "");
  for (const path of ["/api/secrets", "/simple/../api/secrets", "/simple/%2e%2e/api/secrets"]) {
    expect([path, (await fetch(`${root}${path}`)).status]).toEqual([path, 403]);
  }
  expect((await fetch(`${address}a/`, { method: "POST", body: "x" })).status).toBe(403);
  expect((await fetch(`${root.replace(/0$/, "7")}/simple/a/`)).status).toBe(403);
  expect(index.got.every(([, key]) => key === basic(PASSWORD))).toBe(true);
  expect(index.got.some(([asked]) => asked.includes("secrets"))).toBe(false);
  expect(other.got).toEqual([["GET /files/b-1.whl", undefined]]);
  expect(uses[0]).toBe(`pip GET ${index.origin}/simple/a/`);
});

it("takes the log-in of an index from .netrc or a variable, which commands then do not get", async () => {
  const { home, open } = await place();
  await writeFile(join(home, ".netrc"), `machine 127.0.0.1 login me password ${PASSWORD}\n`);
  const index = await serve({ "/simple/a/": "<p>" });
  await writeFile(
    join(home, ".config/pip/pip.conf"),
    `[install]\nindex_url: ${index.origin}/simple\n`,
  );
  const addressOf = (before = "") => /PIP_INDEX_URL='(.*?)'/.exec(before)?.[1] ?? "";
  const byFile = await open();
  expect((await fetch(`${addressOf(byFile?.lend("pip download a")?.before)}/a/`)).status).toBe(200);
  expect(byFile?.lend("pip list")).toBeUndefined();
  const secret = { PIP_INDEX_URL: index.origin.replace("//", "//me:other@").concat("/simple") };
  const byVariable = await open({ ...secret, CARGO_REGISTRY_TOKEN: "t" });
  expect(
    (await fetch(`${addressOf(byVariable?.lend("python -m pip install a")?.before)}/a/`)).status,
  ).toBe(200);
  expect(byVariable?.hiddenVariables).toEqual(["PIP_INDEX_URL", "CARGO_REGISTRY_TOKEN"]);
  expect(index.got.map(([, key]) => key)).toEqual([basic(PASSWORD), basic("other")]);
});

it("hides settings of pip and cargo from commands where a log-in stands in them", async () => {
  const { home, project } = await place();
  const hidden = async (name: string, text: string) => {
    await writeFile(join(home, name), text);
    const places = {
      projectRoot: project,
      userConfigDir: join(home, "c"),
      dataDir: join(home, "d"),
    };
    return sandboxRules(places, []).filesystem.denyRead.includes(join(home, name));
  };
  expect(await hidden(".config/pip/pip.conf", "[global]\ntimeout = 5\n")).toBe(false);
  expect(
    await hidden(".config/pip/pip.conf", "[global]\nindex-url = https://me:pw@x/simple\n"),
  ).toBe(true);
  expect(await hidden(".cargo/config.toml", "[build]\njobs = 2\n")).toBe(false);
  expect(await hidden(".cargo/config.toml", '[registry]\ntoken = "x"\n')).toBe(true);
});

const isThere = (program: string) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

test.skipIf(!isThere("pip"))(
  "the real pip installs by it, and what a clone names gets no key",
  async () => {
    const { home, project, open } = await place();
    const wheel = join(home, "thing-1.0-py3-none-any.whl");
    const python = `import zipfile;z=zipfile.ZipFile(${JSON.stringify(wheel)},'w');z.writestr('thing.py','x=1');d='thing-1.0.dist-info/';z.writestr(d+'METADATA','Metadata-Version: 2.1\\nName: thing\\nVersion: 1.0\\n');z.writestr(d+'WHEEL','Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n');z.writestr(d+'RECORD','');z.close()`;
    execFileSync("python3", ["-c", python]);
    const evil = await serve({});
    const index = await serve({
      "/simple/thing/":
        '<a href="/files/thing-1.0-py3-none-any.whl">thing-1.0-py3-none-any.whl</a>',
      "/files/thing-1.0-py3-none-any.whl": await readFile(wheel),
    });
    const conf = join(home, ".config/pip/pip.conf");
    await writeFile(
      conf,
      `[global]\nindex-url = http://me:${PASSWORD}@${new URL(index.origin).host}/simple\n`,
    );
    const lent = (await open())?.lend("pip download thing");
    await writeFile(conf, "");
    const env = { PATH, HOME: home, PIP_DISABLE_PIP_VERSION_CHECK: "1" };
    await run("sh", ["-c", `${lent?.before}pip download --no-deps -q thing`], {
      cwd: project,
      env,
    });
    expect(await readFile(join(project, "thing-1.0-py3-none-any.whl"))).toEqual(
      await readFile(wheel),
    );
    await writeFile(
      join(project, "requirements.txt"),
      `--index-url ${evil.origin}/simple\nthing\n`,
    );
    const failed = await run(
      "sh",
      ["-c", `${lent?.before}pip download --no-deps --retries 0 -r requirements.txt`],
      { cwd: project, env },
    ).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
    expect(evil.got.length).toBeGreaterThan(0);
    expect(evil.got.every(([, key]) => key === undefined)).toBe(true);
  },
  120_000,
);

test.skipIf(!isThere("cargo"))(
  "the real cargo fetches by it, its lock file names the registry, and what a clone names gets no key",
  async () => {
    const { home, project, open, uses } = await place();
    const crate = join(home, "thing-1.0.0");
    await mkdir(join(crate, "src"), { recursive: true });
    await writeFile(
      join(crate, "Cargo.toml"),
      '[package]\nname = "thing"\nversion = "1.0.0"\nedition = "2021"\n',
    );
    await writeFile(join(crate, "src/lib.rs"), "");
    execFileSync("tar", ["czf", "thing.crate", "thing-1.0.0"], { cwd: home });
    const packed = await readFile(join(home, "thing.crate"));
    const cksum = createHash("sha256").update(packed).digest("hex");
    const evil = await serve({});
    const registry = await serve({});
    Object.assign(registry.pages, {
      "/index/config.json": JSON.stringify({
        dl: `${registry.origin}/dl/{crate}-{version}.crate`,
        "auth-required": true,
      }),
      "/index/th/in/thing": JSON.stringify({
        name: "thing",
        vers: "1.0.0",
        deps: [],
        cksum,
        features: {},
        yanked: false,
      }),
      "/dl/thing-1.0.0.crate": packed,
      "/api/secrets": "all",
    });
    await writeFile(
      join(home, ".cargo/config.toml"),
      `[registries.corp]\nindex = "sparse+${registry.origin}/index/"\n`,
    );
    await writeFile(
      join(home, ".cargo/credentials.toml"),
      `[registries.corp]\ntoken = "${TOKEN}"\n`,
    );
    await writeFile(
      join(project, "Cargo.toml"),
      '[package]\nname = "own"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nthing = { version = "1", registry = "corp" }\n',
    );
    await writeFile(join(project, "src/lib.rs"), "");
    const broker = await open();
    await rm(join(home, ".cargo/credentials.toml"));
    const lent = broker?.lend("cargo fetch");
    const env = {
      PATH,
      HOME: home,
      CARGO_HOME: join(home, ".cargo"),
      RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(process.env.CARGO_HOME ?? "/root", ".rustup"),
    };
    await run("sh", ["-c", `${lent?.before}cargo fetch`], { cwd: project, env });
    const lock = await readFile(join(project, "Cargo.lock"), "utf8");
    expect(lock).toContain(`source = "sparse+${registry.origin}/index/"`);
    expect(lock).not.toContain("localhost");
    expect(registry.got.every(([, key]) => key === TOKEN)).toBe(true);
    expect(uses).toContain(`cargo GET ${registry.origin}/dl/thing-1.0.0.crate`);
    const [, address = ""] = /sparse\+(http:\/\/localhost.*?)"/.exec(lent?.before ?? "") ?? [];
    for (const path of ["../api/secrets", "%2e%2e/api/secrets", "~download/a/-/b"]) {
      expect([path, (await fetch(`${address}${path}`)).status]).toEqual([path, 403]);
    }
    expect((await fetch(`${address}x`, { method: "PUT", body: "x" })).status).toBe(403);
    await mkdir(join(project, ".cargo"));
    await writeFile(
      join(project, ".cargo/config.toml"),
      `[registries.other]\nindex = "sparse+${evil.origin}/index/"\ntoken = "none"\n`,
    );
    await writeFile(
      join(project, "Cargo.toml"),
      '[package]\nname = "own"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nthing = { version = "1", registry = "other" }\n',
    );
    const failed = await run("sh", ["-c", `${lent?.before}cargo fetch`], {
      cwd: project,
      env,
    }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
    expect(evil.got.length).toBeGreaterThan(0);
    expect(JSON.stringify(evil.got)).not.toContain(TOKEN);
  },
  120_000,
);
