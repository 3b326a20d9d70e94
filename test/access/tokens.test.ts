import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { PeopleTokens, registerServer, TokenHolders } from "../../src/access/index.ts";
import { DatabaseFolder, type StoredTokens } from "../../src/database/index.ts";
import { TestClock } from "../../src/testing/test-clock.ts";

let folder: string;
let files: string;
let kept: StoredTokens;
let tokens: PeopleTokens;
let holders: TokenHolders;
let now: number;

function fail(error: unknown): void {
  throw error;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-tokens-"));
  files = join(folder, "tokens", "people");
  kept = new DatabaseFolder(folder, () => true).tokens;
  // Token use is recorded in the background, so remove the folder only after that.
  const noting: Promise<unknown>[] = [];
  const noteUse = kept.noteUse.bind(kept);
  kept.noteUse = (name) => {
    const noted = noteUse(name);
    noting.push(noted);
    return noted;
  };
  onTestFinished(async () => {
    await Promise.allSettled(noting);
    rmSync(folder, { recursive: true, force: true });
  });
  tokens = new PeopleTokens(kept, new TestClock());
  now = 0;
  holders = new TokenHolders(kept, fail, () => now);
});

describe("a token", () => {
  it("is shown once and stored as a hash with name and scope", async () => {
    const { token, ...record } = await tokens.create("ada", "read");
    expect(token).toMatch(/^cairn_[\w-]{43}$/);
    expect(record).toEqual({ name: "ada", scope: "read", created_at: expect.any(String) });
    expect(await tokens.list()).toEqual([record]);
    const text = readFileSync(join(files, "ada.json"), "utf8");
    expect(text).not.toContain(token);
    expect(text).not.toContain(token.slice("cairn_".length));
    expect(statSync(join(files, "ada.json")).mode & 0o077).toBe(0);
    expect(statSync(files).mode & 0o077).toBe(0);
  });

  it("has a case-insensitively unique name", async () => {
    await tokens.create("Ada", "read");
    await expect(tokens.create("ada", "write")).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("revoke that one first"),
    });
    expect(await tokens.list()).toMatchObject([{ name: "Ada", scope: "read" }]);
    expect(readdirSync(files)).toEqual(["ada.json"]);
  });

  it.each(["", "../serve", "a/b", "-x", "ada lovelace", "x".repeat(65), "REST", "retention"])(
    "rejects the name %j",
    async (name) => {
      await expect(tokens.create(name, "read")).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringMatching(/^name: /),
      });
      expect(await tokens.list()).toEqual([]);
    },
  );

  it("is not lost when twenty are created concurrently", async () => {
    const names = Array.from({ length: 20 }, (_, n) => `p${n}`);
    await Promise.all(names.map((name) => tokens.create(name, "write")));
    expect((await tokens.list()).map(({ name }) => name)).toEqual([...names].sort());
  });

  it("is created once by twenty concurrent requests", async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, () => tokens.create("ada", "write")),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(readdirSync(files)).toEqual(["ada.json"]);
  });

  it("cannot be revoked if it does not exist", async () => {
    await expect(tokens.revoke("ada")).rejects.toMatchObject({ code: "not_found" });
    await expect(tokens.revoke("../../x")).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("accepts no token if damaged, and can be revoked", async () => {
    await tokens.create("ada", "read");
    writeFileSync(join(files, "ada.json"), '{"name":"bob"}');
    await expect(holders.isClosed()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("cairn token revoke ada"),
    });
    await tokens.revoke("ada");
    expect(await holders.isClosed()).toBe(true);
  });
});

describe("a server", () => {
  it("accepts a new token immediately", async () => {
    expect(await holders.isClosed()).toBe(false);
    const { token } = await tokens.create("ada", "write");
    expect(await holders.holderOf(token)).toEqual({ name: "ada", scope: "write" });
    expect(await holders.isClosed()).toBe(true);
  });

  it("rejects a revoked token within a second", async () => {
    const { token } = await tokens.create("ada", "write");
    await tokens.create("bob", "admin");
    expect(await holders.holderOf(token)).toBeDefined();
    await tokens.revoke("ada");
    now += 1_000;
    expect(await holders.holderOf(token)).toBeUndefined();
  });

  it("rejects partial tokens and stored hashes", async () => {
    const { token } = await tokens.create("ada", "write");
    const { hash } = JSON.parse(readFileSync(join(files, "ada.json"), "utf8"));
    for (const wrong of [token.slice(0, -1), `${token}A`, token.toUpperCase(), hash, "ada", ""]) {
      expect(await holders.holderOf(wrong)).toBeUndefined();
    }
  });

  it("grants nothing for an unknown scope", async () => {
    const { token } = await tokens.create("ada", "write");
    const path = join(files, "ada.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"write"', '"everything"'));
    expect(await holders.holderOf(token)).toBeUndefined();
    expect(await holders.isClosed()).toBe(true);
  });
});

describe("the last use of a token", () => {
  const usedAt = async () => (await tokens.list())[0]?.used_at;

  it("is reported after use and not inherited by a new token of the same name", async () => {
    const { token } = await tokens.create("Ada", "read");
    await holders.holderOf("cairn_of_nobody");
    expect(await usedAt()).toBeUndefined();
    await holders.holderOf(token);
    await vi.waitFor(async () => expect(await usedAt()).toMatch(/^\d{4}-.*Z$/));
    await tokens.revoke("ada");
    await tokens.create("ada", "read");
    expect(await usedAt()).toBeUndefined();
  });

  it("is recorded at most every five minutes", async () => {
    const { token } = await tokens.create("ada", "read");
    const written = vi.spyOn(kept, "noteUse");
    for (now = 0; now < 600_000; now += 1_000) await holders.holderOf(token);
    expect(written.mock.calls).toEqual([["ada"], ["ada"]]);
  });

  it("reports recording failures without rejecting the token", async () => {
    const { token } = await tokens.create("ada", "read");
    const message: unknown[] = [];
    const full = new Error("no space left on device");
    vi.spyOn(kept, "noteUse").mockRejectedValue(full);
    const others = new TokenHolders(kept, (error) => message.push(error));
    expect(await others.holderOf(token)).toEqual({ name: "ada", scope: "read" });
    await vi.waitFor(() => expect(message).toEqual([full]));
  });
});

describe("a store that had a token", () => {
  it("still requires a token after the last one is revoked", async () => {
    await tokens.create("ada", "admin");
    rmSync(join(folder, "tokens", "doors", "closed"));
    await tokens.revoke("ada");
    expect(await tokens.list()).toEqual([]);
    expect(await holders.isClosed()).toBe(true);
    const { tokens: same } = new DatabaseFolder(folder, () => true);
    expect(await new TokenHolders(same, fail).isClosed()).toBe(true);
  });

  it("can be opened, and is closed by the next token", async () => {
    await tokens.create("ada", "admin");
    await expect(tokens.reopen()).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("Tokens exist (ada). Revoke them first"),
    });
    await tokens.revoke("ada");
    await tokens.reopen();
    expect(await tokens.isClosed()).toBe(false);
    await tokens.create("bob", "read");
    expect(await tokens.isClosed()).toBe(true);
  });

  it("cannot be opened while a reachable server runs", async () => {
    await tokens.create("ada", "admin");
    await tokens.revoke("ada");
    const kept = new DatabaseFolder(folder, () => true).tokens;
    const errors: unknown[] = [];
    const forget = await registerServer(kept, (error) => errors.push(error));
    await expect(tokens.reopen()).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("Stop it first"),
    });
    expect(await tokens.isClosed()).toBe(true);
    await forget();
    await tokens.reopen();
    expect(await tokens.isClosed()).toBe(false);
    expect(errors).toEqual([]);
  });

  it("can be opened a minute after a server was killed", async () => {
    const kept = new DatabaseFolder(folder, () => true).tokens;
    await kept.noteServer("killed");
    const before = new Date(Date.now() - 60_000);
    utimesSync(join(folder, "tokens", "doors", "server-killed"), before, before);
    await tokens.reopen();
    expect(await kept.countServers()).toBe(0);
  });
});
