// @module-tag long: servers that load a model.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { askModel } from "../../../src/app/daemon/index.ts";
import { createEmbedder, embeddingSettings } from "../../../src/embedding/index.ts";
import { builtPackage } from "../../support/built-package.ts";
import { expectDefined } from "../../support/defined.ts";
import { DaemonFixture } from "./support/daemon-fixture.ts";
import { startDaemon } from "./support/send-to-daemon.ts";

const TEXT = { text: "Deploys wait for the nightly backup.", before: "When do we ship?" };

describe("the daemon's model", { timeout: 360_000 }, () => {
  let built: string;
  beforeAll(async () => {
    built = await builtPackage("model");
  }, 180_000);

  const here = async (provider = "minilm") => {
    const place = new DaemonFixture(built);
    const env = { ...place.env, CAIRN_EMBEDDING_PROVIDER: provider };
    const pid = await startDaemon(Object.create(place, { env: { value: env } }));
    return { place, pid, program: place.daemonFile };
  };
  const response = { texts: [TEXT], role: "query", signal: undefined } as const;

  it("embeds like any other process", async () => {
    const { place, program } = await here();
    const [found] = expectDefined(await askModel(place.folder, { ...response, program }));
    const own = expectDefined(createEmbedder(embeddingSettings.parse({})) ?? undefined);
    const [expected] = expectDefined(await own.read?.([TEXT], { role: "query" }));
    await own.close();
    const sent = (vector: Float32Array) => Buffer.from(Float32Array.from(vector).buffer);
    expect(found?.vector).toBe(sent(expectDefined(expected).vector).toString("base64"));
    expect(found?.tokens.map(({ text }) => text)).toEqual(expected?.tokens.map(({ text }) => text));
    expect(found?.tokens.map(({ vector }) => vector)).toEqual(
      expected?.tokens.map(({ vector }) => sent(vector).toString("base64")),
    );
    expect(await place.status()).toMatchObject({ answered: 1, declined: 0 });
  });

  it("is shared with an MCP server, which loads its own once the daemon is gone", async () => {
    const { place, pid } = await here();
    const env = { CAIRN_EMBEDDING_PROVIDER: "minilm" };
    await place.print(["remember", "Deploys wait for the nightly backup."], {
      env: { ...env, CAIRN_DAEMON: "off" },
    });
    await place.print(["recall", "deploys"], { env: { ...env, CAIRN_DAEMON: "off" } });
    const child = place.start(["mcp"], { env });
    let out = "";
    child.stdout?.on("data", (text) => {
      out += String(text);
    });
    const say = async (id: number, method: string, params: object) => {
      child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      await expect.poll(() => out, { timeout: 90_000 }).toMatch(new RegExp(`"id":${id}[,}]`));
    };
    const capabilities = { capabilities: {}, clientInfo: { name: "t", version: "1" } };
    await say(1, "initialize", { protocolVersion: "2025-06-18", ...capabilities });
    const recall = { name: "recall", arguments: { query: "What do deploys wait for?" } };
    await say(2, "tools/call", recall);
    const before = (await place.status())?.answered ?? 0;
    expect(before).toBeGreaterThan(0);
    process.kill(pid, "SIGKILL");
    await place.waitUntilGone(pid);
    await say(3, "tools/call", recall);
    child.stdin?.end();
    const answers = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ id }) => id === 2 || id === 3)
      .map(({ result }) => result.content);
    expect(JSON.stringify(answers[0])).toContain("nightly backup");
    expect(answers[1]).toEqual(answers[0]);
  });

  it("is not used if version or model differ", async () => {
    const { place } = await here();
    const other = join(place.root, "other.js");
    writeFileSync(other, "");
    expect(await askModel(place.folder, { ...response, program: other })).toBeUndefined();
    const without = await here("none");
    const { program } = without;
    expect(await askModel(without.place.folder, { ...response, program })).toBeUndefined();
    expect(await askModel(place.root, { ...response, program })).toBeUndefined();
  });
});
