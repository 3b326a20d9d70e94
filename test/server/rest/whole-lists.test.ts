import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SlicedList } from "../../../src/memory/index.ts";
import { JsonSpool } from "../../../src/server/rest/json-spool.ts";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";

const EPISODES = 1300;
/** Long enough that the full list exceeds a response's memory buffer. */
const WORDS = "and much more besides ".repeat(40);

let server: MemoryServer;

beforeAll(async () => {
  server = await serveMemory();
  const ops = Array.from({ length: EPISODES }, (_, n) => ({
    op: "remember",
    content: `Note ${n} ${WORDS}`,
    entities: ["tool:hub", `file:f${n}`],
    labels: "kind=note",
  }));
  const response = await fetch(`${server.url}/api/v1/apply`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ changeset: JSON.stringify(ops) }),
  });
  expect(response.status).toBe(200);
}, 60_000);

afterAll(() => server.end());

interface Listed {
  readonly total?: number;
  readonly count?: number;
  readonly omitted?: number;
  readonly episodes: { readonly id: string; readonly entities: string[] }[];
  readonly entities?: string[];
}

async function get(path: string, body?: object): Promise<{ length: number; body: Listed }> {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    headers: { "accept-encoding": "identity", "content-type": "application/json" },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(Number(response.headers.get("content-length"))).toBe(Buffer.byteLength(text));
  return { length: text.length, body: JSON.parse(text) as Listed };
}

async function section(scope: string): Promise<Listed> {
  const { body } = await get("/snapshot", { scopes: [scope] });
  return (body as unknown as Record<string, Listed>)[scope] ?? expect.fail(`no ${scope}`);
}

const newestFirst = Array.from({ length: EPISODES }, (_, n) => `ep:${EPISODES - n}`);

describe("a long list over REST", () => {
  it("is complete and ordered even if larger than memory limits", async () => {
    const { body, length } = await get("/entities/tool:hub/episodes");
    expect(length).toBeGreaterThan(1024 * 1024);
    expect(body.total).toBe(EPISODES);
    expect(body.episodes.map(({ id }) => id)).toEqual(newestFirst);
    expect(body).not.toHaveProperty("omitted");
  });

  it.each(["pending", "entity:tool:hub", "label:kind=note", `recent:${EPISODES}`])(
    "is complete in scope %s",
    async (scope) => {
      const { episodes, omitted } = await section(scope);
      expect(episodes.map(({ id }) => id)).toEqual(newestFirst);
      expect(omitted).toBeUndefined();
    },
  );

  it("lists mentioned entities once after the episodes", async () => {
    const { entities = [] } = await section("pending");
    expect(entities.slice(0, 3)).toEqual([
      "tool:hub",
      `file:f${EPISODES - 1}`,
      `file:f${EPISODES - 2}`,
    ]);
    expect(entities).toHaveLength(EPISODES + 1);
  });

  it("shows the n newest pending items and counts all", async () => {
    const found = await section("pending:3");
    expect(found.episodes.map(({ id }) => id)).toEqual(newestFirst.slice(0, 3));
    expect(found).toMatchObject({ count: EPISODES, omitted: EPISODES - 3 });
    expect(found.entities).toHaveLength(4);
  });

  it("answers HEAD with the length and leaves no file", async () => {
    const path = `${server.url}/api/v1/entities/tool:hub/episodes`;
    const response = await fetch(path, { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("cairn-answer-"))).toEqual([]);
  });
});

describe("a spooled response", () => {
  it("reads slice by slice and yields in between", async () => {
    let [unwritten, turns] = [0, 0];
    const others = { go: true };
    const beside = (async () => {
      while (others.go) {
        await setImmediate();
        turns += 1;
      }
    })();
    const list = new SlicedList(async function* () {
      for (let slice = 0; slice < 20; slice += 1) {
        expect(unwritten).toBe(0);
        unwritten = 100;
        yield new Proxy(
          Array.from({ length: 100 }, (_, n) => ({ slice, n, text: WORDS })),
          {
            get(target, name) {
              if (name === "99") unwritten = 0;
              return Reflect.get(target, name);
            },
          },
        );
      }
    });
    const spool = await JsonSpool.of({ total: 2000, items: list, last: undefined, end: null });
    others.go = false;
    await beside;
    expect(turns).toBeGreaterThanOrEqual(20);
    const text = await new Response(spool.body()).text();
    expect(Buffer.byteLength(text)).toBe(spool.length);
    const read = JSON.parse(text) as { total: number; items: { slice: number; n: number }[] };
    expect(Object.keys(read)).toEqual(["total", "items", "end"]);
    expect(read.items).toHaveLength(2000);
    expect(read.items.at(-1)).toMatchObject({ slice: 19, n: 99 });
  });

  it("reports a failure before anything is sent", async () => {
    const failing = new SlicedList(async function* () {
      yield [WORDS];
      throw new Error("the disk is gone");
    });
    await expect(JsonSpool.of({ items: failing })).rejects.toThrow("the disk is gone");
  });
});
