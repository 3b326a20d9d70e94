import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OneTimeLinks } from "../../src/access/index.ts";
import { KeptPhones } from "../../src/phones/index.ts";
import { WrongTries } from "../../src/phones/wrong-tries.ts";

describe("phones that are kept", () => {
  let dataDir: string;
  let now: Date;
  let phones: KeptPhones;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "cairn-phones-"));
    now = new Date("2026-03-01T10:00:00Z");
    phones = new KeptPhones(dataDir, { now: () => now });
  });

  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const file = (name: string) => join(dataDir, "tokens", "phones", `${name}.json`);

  it("keep a hash where only this user reads it, and never the token", () => {
    const { token } = phones.add("ada", "/shop");
    expect(readFileSync(file("ada"), "utf8")).not.toContain(token);
    expect(statSync(file("ada")).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(phones.list())).not.toContain("hash");
  });

  it("are let in for their own project, with none of the memory's rights", () => {
    const { token } = phones.add("ada", "/shop");
    expect(phones.holderOf(token, "/shop")).toEqual({ name: "ada", scope: "metrics" });
    expect(phones.holderOf(token, "/bank")).toBeUndefined();
    expect(phones.holderOf(`${token}x`, "/shop")).toBeUndefined();
  });

  it("end by themselves", () => {
    const { token } = phones.add("ada", "/shop", "12h");
    now = new Date("2026-03-01T21:59:59Z");
    expect(phones.holderOf(token, "/shop")).toBeDefined();
    now = new Date("2026-03-01T22:00:00Z");
    expect(phones.holderOf(token, "/shop")).toBeUndefined();
    expect(phones.list()).toEqual([]);
    expect(readdirSync(join(dataDir, "tokens", "phones"))).toEqual([]);
  });

  it("end after 30 days where nobody says otherwise", () => {
    expect(phones.add("ada", "/shop").expires_at).toBe("2026-03-31T10:00:00.000Z");
  });

  it("show when they were last used", () => {
    const { token } = phones.add("ada", "/shop");
    now = new Date("2026-03-04T08:30:00Z");
    phones.holderOf(token, "/shop");
    expect(phones.list()[0]?.used_at).toBe("2026-03-04T08:30:00.000Z");
  });

  it("are taken back by another process, and a use that is noted late brings none back", () => {
    const { token } = phones.add("ada", "/shop");
    new KeptPhones(dataDir, { now: () => now }).revoke("ada");
    expect(phones.holderOf(token, "/shop")).toBeUndefined();
    expect(() => phones.revoke("ada")).toThrow(/There is no phone "ada"/);
    expect(readdirSync(join(dataDir, "tokens", "phones"))).toEqual([]);
  });

  it("have names of their own, which are names of no other file", () => {
    phones.add("ada", "/shop");
    expect(() => phones.add("ada", "/bank")).toThrow(/already/);
    for (const bad of ["", "../agent", "Ada", "a b", "-a", "a".repeat(41)]) {
      expect(() => phones.add(bad, "/shop")).toThrow(/name: must be/);
      expect(() => phones.revoke(bad)).toThrow(/name: must be/);
    }
  });

  it("let nobody in by a file that says more than this version knows", () => {
    const { token } = phones.add("ada", "/shop");
    const kept = JSON.parse(readFileSync(file("ada"), "utf8"));
    writeFileSync(file("ada"), JSON.stringify({ ...kept, only: "thread-1" }));
    expect(phones.holderOf(token, "/shop")).toBeUndefined();
    writeFileSync(file("ada"), "{");
    expect(phones.holderOf(token, "/shop")).toBeUndefined();
  });
});

it("a link is good for once and ten minutes", () => {
  let at = 0;
  const warnings: string[] = [];
  const words = { refusal: "Too old.", warning: "Twice." };
  const links = new OneTimeLinks<string>(
    words,
    (text) => warnings.push(text),
    () => at,
  );
  const { link } = links.make("for ada");
  const { link: late } = links.make("for bob");
  expect(links.use(link)).toBe("for ada");
  expect(() => links.use(link)).toThrow("Too old.");
  expect(warnings).toEqual(["Twice."]);
  at = 10 * 60_000 + 1;
  expect(() => links.use(late)).toThrow("Too old.");
  expect(warnings).toHaveLength(1);
});

it("after ten wrong tries within a minute nobody's is looked at, until a minute is over", () => {
  let at = 0;
  const tries = new WrongTries(() => at);
  for (let count = 0; count < 10; count += 1) {
    tries.require();
    tries.note();
  }
  expect(() => tries.require()).toThrow(/Too many wrong links/);
  at = 60_000;
  tries.require();
});
