import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { loadConfig } from "../../src/config/index.ts";
import {
  forgetKey,
  keyFromCommand,
  logInByBrowser,
  StoredKeys,
  storeKey,
} from "../../src/llm/index.ts";
import { openSystemKeyring } from "../../src/llm/logins/store-key.ts";

interface Asked {
  readonly body: { code: string; code_verifier: string; code_challenge_method: string };
}

async function startExchange(answer: unknown, status = 200) {
  const asked: Asked["body"][] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    asked.push(JSON.parse(text));
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { exchange: `http://127.0.0.1:${port}/api/v1/auth/keys`, asked };
}

/** Simulates a user who consents: the page redirects to the callback. */
function simulateConsent(how: (callback: string, page: URL) => Promise<void>) {
  const pages: URL[] = [];
  const show = (url: string) => {
    const page = new URL(url);
    pages.push(page);
    const callback = (page.searchParams.get("callback_url") ?? "").replace(
      "localhost",
      "127.0.0.1",
    );
    void how(callback, page);
  };
  return { pages, show };
}

const page = "https://openrouter.ai/auth";
const options = { fetch, signal: AbortSignal.timeout(30_000) };

describe("a login by browser", () => {
  it("exchanges the code for a key with PKCE", async () => {
    const { exchange, asked } = await startExchange({ key: "sk-or-made", user_id: "u" });
    const { pages, show } = simulateConsent(async (callback) => {
      // A callback without the secret path is rejected.
      const stranger = new URL("/callback?code=stolen", callback);
      expect((await fetch(stranger)).status).toBe(404);
      expect((await fetch(`${callback}?code=c0de`)).status).toBe(200);
    });
    expect(await logInByBrowser({ browserLogin: { page, exchange }, show, ...options })).toBe(
      "sk-or-made",
    );
    const [{ searchParams } = new URL(page)] = pages;
    expect(searchParams.get("code_challenge_method")).toBe("S256");
    const [sent] = asked;
    expect(sent?.code).toBe("c0de");
    const proof = createHash("sha256")
      .update(sent?.code_verifier ?? "")
      .digest("base64url");
    expect(searchParams.get("code_challenge")).toBe(proof);
  });

  it.each([
    ["an answer without a key", { other: 1 }, 200, /contains no key/],
    ["a refusal", { error: "no" }, 403, /status 403/],
  ])("reports what is wrong with %s", async (_name, answer, status, reason) => {
    const { exchange } = await startExchange(answer, status);
    const { show } = simulateConsent(async (callback) => void (await fetch(`${callback}?code=c`)));
    await expect(
      logInByBrowser({ browserLogin: { page, exchange }, show, ...options }),
    ).rejects.toThrow(reason);
  });
});

function stubKeyring(): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-keyring-"));
  const program = join(folder, "secret-tool");
  writeFileSync(
    program,
    `#!/bin/sh
echo "$@" >> ${folder}/asked
for last; do :; done
case "$1" in
  store) cat > "${folder}/$last" ;;
  lookup) cat "${folder}/$last" ;;
  clear) rm "${folder}/$last" ;;
esac
`,
  );
  chmodSync(program, 0o700);
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

const home = () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-home-"));
  mkdirSync(join(folder, ".config/cairn"), { recursive: true });
  return folder;
};
const keysOf = (folder: string) => new StoredKeys(join(folder, ".config/cairn/keys.json"));
const configOf = (folder: string, env: Record<string, string>) =>
  loadConfig({ env: { HOME: folder, ...env }, cwd: folder, reader: "person" });

describe("a stored key", () => {
  it.runIf(process.platform === "linux")(
    "is stored in the keyring without arguments and fetched on demand",
    async () => {
      const keyring = stubKeyring();
      const folder = home();
      const keys = keysOf(folder);
      const kept = { service: "groq", key: "gsk-secret", withKeyring: true };
      expect(await storeKey(keys, kept)).toBe("the session keyring");
      expect(readFileSync(keys.path, "utf8")).not.toContain("gsk-secret");
      expect(readFileSync(join(keyring, "asked"), "utf8")).not.toContain("gsk-secret");
      const { settings } = configOf(folder, { CAIRN_PROVIDER: "groq" });
      expect(settings.apiKey).toBeUndefined();
      expect(await keyFromCommand(settings.apiKeyCommand ?? "")).toBe("gsk-secret");
      expect(await forgetKey(keys, "groq")).toBe(true);
      expect(configOf(folder, { CAIRN_PROVIDER: "groq" }).settings.apiKeyCommand).toBeUndefined();
      expect(await forgetKey(keys, "groq")).toBe(false);
    },
  );

  it("is stored in a private file without a keyring", async () => {
    vi.stubEnv("PATH", "/nowhere");
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = home();
    const keys = keysOf(folder);
    await storeKey(keys, { service: "groq", key: "gsk-secret", withKeyring: true });
    expect(statSync(keys.path).mode & 0o777).toBe(0o600);
    expect(configOf(folder, { CAIRN_PROVIDER: "groq" }).settings.apiKey).toBe("gsk-secret");
  });

  it("is sent only to its own service, after explicit keys", async () => {
    const folder = home();
    await storeKey(keysOf(folder), { service: "groq", key: "gsk-secret", withKeyring: false });
    const keyFor = (env: Record<string, string>) => configOf(folder, env).settings.apiKey;
    expect(keyFor({ CAIRN_PROVIDER: "groq" })).toBe("gsk-secret");
    expect(keyFor({ CAIRN_PROVIDER: "mistral" })).toBeUndefined();
    const elsewhere = { CAIRN_PROVIDER: "groq", CAIRN_BASE_URL: "https://other.example.test/v1" };
    expect(keyFor(elsewhere)).toBeUndefined();
    expect(keyFor({ CAIRN_PROVIDER: "groq", GROQ_API_KEY: "of-env" })).toBe("of-env");
    expect(keyFor({ CAIRN_PROVIDER: "groq", CAIRN_API_KEY: "given" })).toBe("given");
    const command = { CAIRN_PROVIDER: "groq", CAIRN_API_KEY_COMMAND: "echo other" };
    expect(keyFor(command)).toBeUndefined();
  });

  it("is written to the keychain of macOS by its own shell, not by arguments", () => {
    const keyring = openSystemKeyring("groq", "darwin");
    expect(keyring?.store.command).toEqual(["security", "-i"]);
    expect(keyring?.store.input("k")).toBe('add-generic-password -U -s cairn -a groq -w "k"\n');
    expect(openSystemKeyring("groq", "win32")).toBeUndefined();
  });
});
