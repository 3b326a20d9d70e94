import { afterEach, describe, expect, it } from "vitest";
import { ChangeFeed } from "../../../src/memory/index.ts";
import { eventStream } from "../../../src/server/rest/event-stream.ts";
import { type MemoryServer, openMemoryStore, serveMemory } from "../../support/memory-server.ts";
import { waitFixedTime } from "../../support/wait-fixed-time.ts";
import { waitUntil } from "../../support/wait-until.ts";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(): Promise<MemoryServer> {
  const server = await serveMemory();
  closing.push(() => server.end());
  return server;
}

async function listen(server: MemoryServer, query = "", headers: Record<string, string> = {}) {
  const gone = new AbortController();
  const response = await fetch(`${server.url}/api/v1/events${query}`, {
    headers: { accept: "text/event-stream", ...headers },
    signal: gone.signal,
  });
  const seqs: number[] = [];
  const arrivals: number[] = [];
  const stored: string[] = [];
  const reading = (async () => {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const frames = text.split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const id = /^id: (\d+)$/m.exec(frame)?.[1];
        if (id === undefined) continue;
        seqs.push(Number(id));
        arrivals.push(Date.now());
        stored.push(frame);
      }
    }
  })().catch((error: unknown) => {
    if (!gone.signal.aborted) throw error;
  });
  const leave = async () => {
    gone.abort();
    await reading;
  };
  closing.push(leave);
  return { response, seqs, arrivals, frames: stored, leave, reading };
}

const remember = (server: MemoryServer, content: string) =>
  server.store.open().execute("remember", { content });

describe("the event stream", () => {
  it("sends existing and new events once and in order", async () => {
    const server = await start();
    await remember(server, "one");
    const stream = await listen(server);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
    await waitUntil(() => stream.seqs.length === 1);
    for (let n = 0; n < 20; n += 1) await remember(server, `more ${n}`);
    await waitUntil(() => stream.seqs.length === 21);
    expect(stream.seqs).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
  });

  it("sends unnamed events for onmessage, and starts at the latest on request", async () => {
    const server = await start();
    await remember(server, "old");
    const stream = await listen(server, "?since_seq=latest");
    await remember(server, "new");
    await waitUntil(() => stream.seqs.length > 0);
    expect(stream.seqs).toEqual([2]);
    expect(stream.frames.at(-1)).toMatch(/^id: 2\ndata: \{.*"kind":"remembered"/);
    const { status } = await fetch(`${server.url}/api/v1/events?since_seq=latest`);
    expect(status).toBe(400);
  });

  it("applies filters, also for names created later", async () => {
    const server = await start();
    await remember(server, "old");
    const stream = await listen(server, "?entity=tool:node&type=decision");
    const told = { content: "On Node", entities: ["tool:node"] };
    await server.store.open().execute("remember", told);
    await server.store.open().execute("remember", { ...told, episode_type: "decision" });
    await waitUntil(() => stream.seqs.length > 0);
    await stream.leave();
    expect(stream.seqs).toEqual([3]);
    const { status } = await fetch(`${server.url}/api/v1/events?topic=nowhere`);
    expect(status).toBe(404);
  });

  it("has no gaps or duplicates across reconnects", async () => {
    const server = await start();
    const writing = (async () => {
      for (let n = 0; n < 60; n += 1) await remember(server, `note ${n}`);
    })();
    const seen: number[] = [];
    while (seen.length < 60) {
      const last = seen.at(-1);
      const stream = await listen(
        server,
        "",
        last === undefined ? {} : { "last-event-id": `${last}` },
      );
      await waitUntil(() => stream.seqs.length > 0);
      await stream.leave();
      seen.push(...stream.seqs);
    }
    await writing;
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });

  it("sees the writes of another process's connection within 200 ms", async () => {
    const server = await start();
    await remember(server, "first");
    const stream = await listen(server, "?since_seq=1");
    const other = openMemoryStore(server.dataDir);
    closing.push(() => other.close());
    await other.open().execute("stats", {});
    const delays: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const before = stream.seqs.length;
      await other.open().execute("remember", { content: `from elsewhere ${n}` });
      const written = Date.now();
      await waitUntil(() => stream.seqs.length > before);
      delays.push((stream.arrivals.at(-1) ?? 0) - written);
    }
    expect(delays.sort((a, b) => a - b)[2]).toBeLessThan(600);
  });

  it("waits for a database created by its first write", async () => {
    const server = await start();
    const stream = await listen(server);
    await remember(server, "first");
    await waitUntil(() => stream.seqs.length === 1);
  });

  it("filters by kind", async () => {
    const server = await start();
    const stream = await listen(server, "?kind=deleted");
    await remember(server, "one");
    await server.store.open().execute("delete", { id: "ep:1" });
    await waitUntil(() => stream.seqs.length === 1);
    expect(stream.seqs).toEqual([2]);
  });

  it.each(["-1", "x", "1.0"])("refuses Last-Event-ID: %s", async (id) => {
    const server = await start();
    const { response } = await listen(server, "", { "last-event-id": id });
    expect(response.status).toBe(400);
  });

  it("sends heartbeats when idle", async () => {
    const server = await start();
    const gone = new AbortController();
    const response = eventStream({
      feed: new ChangeFeed(server.store.open()),
      sinceSeq: 0,
      kind: undefined,
      signals: [gone.signal],
      heartbeatMs: 20,
    });
    const reader = response.body?.getReader();
    const texts: string[] = [];
    while (texts.length < 4) texts.push(new TextDecoder().decode((await reader?.read())?.value));
    gone.abort();
    expect(texts).toEqual(["retry: 1000\n\n", ": alive\n\n", ": alive\n\n", ": alive\n\n"]);
  });

  it("does not read ahead of a slow client", async () => {
    const server = await start();
    for (let n = 0; n < 4; n += 1) {
      const ops = Array.from({ length: 500 }, () => ({ op: "remember", content: "x" }));
      await server.store.open().execute("apply", { changeset: JSON.stringify(ops) });
    }
    let batches = 0;
    const feed = new ChangeFeed(server.store.open());
    const follow = feed.follow.bind(feed);
    feed.follow = async function* (options) {
      for await (const batch of follow(options)) {
        batches += 1;
        yield batch;
      }
    };
    const gone = new AbortController();
    const response = eventStream({ feed, sinceSeq: 0, kind: undefined, signals: [gone.signal] });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();
    await waitFixedTime(100, "no event may follow");
    expect(batches).toBeLessThanOrEqual(2);
    gone.abort();
  });

  it("ends when the server stops", async () => {
    const server = await serveMemory();
    const stream = await listen(server);
    const before = Date.now();
    await server.close(9_000);
    await stream.reading;
    expect(Date.now() - before).toBeLessThan(4_500);
    await server.end();
  });

  it("cleans up after disconnected clients", async () => {
    const server = await start();
    for (let n = 0; n < 30; n += 1) await (await listen(server)).leave();
    await waitUntil(
      () => process.getActiveResourcesInfo().filter((it) => it === "Timeout").length < 10,
    );
    await remember(server, "still there");
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect(server.logged).toEqual([]);
  });
});
