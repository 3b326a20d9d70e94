// @module-tag long: starts and kills processes.
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Embedder, type SignedReading, signedReading } from "../../src/embedding/index.ts";
import { EncoderEnded, EncoderPool } from "../../src/embedding/onnx/encoder-pool.ts";
import { createMinilm } from "../../src/embedding/registry.ts";

const TEXTS = Array.from({ length: 40 }, (_, n) => ({
  text:
    n % 7 === 0 ? "The password rotates. ".repeat(2 * n + 1) : `Module ${n} keeps ${n} replicas.`,
  before: n % 3 === 0 ? "What does it keep?" : "",
}));

const open: Embedder[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const embedder of open.splice(0)) await embedder.close();
});

function openLogged(embedder: Embedder): Embedder {
  open.push(embedder);
  return embedder;
}

/** Creates an embedder that fails if it loads the model in this process. */
function createRemote(workers: number): Embedder {
  const load = () => Promise.reject(new Error("loaded in this process"));
  return openLogged(createMinilm({ workers }, load));
}

async function readOneByOne(texts: typeof TEXTS): Promise<SignedReading[]> {
  const readings = await openLogged(createMinilm({ workers: 0 })).read?.(texts);
  return (readings ?? []).map(signedReading);
}

describe("many texts", { timeout: 90_000 }, () => {
  it("have the vectors and signs, in their order, that each of them has by itself", async () => {
    const expected = await readOneByOne(TEXTS);
    expect(await createRemote(2).readMany?.(TEXTS)).toEqual(expected);
    expect(expected.every(({ signBits }) => (signBits?.length ?? 0) > 0)).toBe(true);
  });

  it("are read in this process if no other is allowed", async () => {
    const before = processes();
    const alone = openLogged(createMinilm({ workers: 0 }));
    expect(await alone.readMany?.(TEXTS)).toHaveLength(TEXTS.length);
    expect(processes()).toEqual(before);
    await expect(createRemote(0).readMany?.(TEXTS)).rejects.toThrow("loaded in this process");
  });

  it("use running processes, and start none for a few texts", async () => {
    const some = TEXTS.slice(0, 5);
    const remote = createRemote(1);
    await expect(remote.readMany?.(some)).rejects.toThrow("loaded in this process");
    await remote.readMany?.(TEXTS);
    expect(await remote.readMany?.(some)).toEqual(await readOneByOne(some));
  });

  it("are not awaited when stopping, and the next are read", async () => {
    const remote = createRemote(2);
    const stop = new AbortController();
    const reading = remote.readMany?.(TEXTS, { signal: stop.signal });
    stop.abort(new Error("no longer wanted"));
    await expect(reading).rejects.toThrow("no longer wanted");
    await expect(remote.readMany?.(TEXTS, { signal: stop.signal })).rejects.toThrow(
      "no longer wanted",
    );
    expect(await remote.readMany?.(TEXTS)).toHaveLength(TEXTS.length);
  });

  it("that a model cannot read make it unavailable, with the reason and the cure", async () => {
    const folder = { ...createEmptyFolder(), path: "/nowhere" };
    const pool = new EncoderPool({ size: 1, folder: () => folder });
    await expect(pool.read(TEXTS, undefined)).rejects.toThrow(/nowhere/);
    await pool.close();
  });

  it("share one queue between callers", async () => {
    const remote = createRemote(2);
    const asked = [TEXTS, TEXTS.toReversed(), TEXTS].map((texts) => remote.readMany?.(texts));
    const [first, second, third] = await Promise.all(asked);
    expect(second?.toReversed()).toEqual(first);
    expect(third).toEqual(first);
  });
});

describe.runIf(process.platform === "linux")(
  "the processes of a model",
  { timeout: 90_000 },
  () => {
    it("exit with the embedder, and restart on demand", async () => {
      const before = processes();
      const remote = createRemote(2);
      await remote.readMany?.(TEXTS);
      expect(processes()).toHaveLength(before.length + 2);
      await remote.close();
      expect(processes()).toEqual(before);
      expect(await remote.readMany?.(TEXTS)).toHaveLength(TEXTS.length);
    });

    it("end when nothing was to be read for ten seconds", async () => {
      const before = processes();
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const remote = createRemote(1);
      await remote.readMany?.(TEXTS);
      vi.advanceTimersByTime(9_000);
      await remote.readMany?.(TEXTS);
      vi.advanceTimersByTime(9_000);
      expect(processes()).toHaveLength(before.length + 1);
      vi.advanceTimersByTime(1_000);
      vi.useRealTimers();
      await expect.poll(processes, { timeout: 15_000 }).toEqual(before);
    });

    it("fall back to this process when killed", async () => {
      const before = processes();
      const embedder = openLogged(createMinilm({ workers: 2 }));
      await embedder.readMany?.(TEXTS);
      const reading = embedder.readMany?.([...TEXTS, ...TEXTS]);
      for (const pid of processes()) if (!before.includes(pid)) process.kill(pid, "SIGKILL");
      const expected = await readOneByOne(TEXTS);
      expect(await reading).toEqual([...expected, ...expected]);
      expect(await embedder.readMany?.(TEXTS)).toEqual(expected);
      expect(processes()).toEqual(before);
    });

    it("report their exit to direct callers of the pool", async () => {
      const before = processes();
      const pool = new EncoderPool({ size: 1, folder: createEmptyFolder });
      const reading = pool.read(TEXTS, undefined);
      for (const pid of processes()) if (!before.includes(pid)) process.kill(pid, "SIGKILL");
      await expect(reading).rejects.toThrow(EncoderEnded);
      expect(pool.takes(1_000)).toBe(false);
      await pool.close();
    });
  },
);

function createEmptyFolder() {
  return {
    path: "/",
    model: "model.onnx",
    pooling: undefined,
    transforms: false,
    windowTokens: 256,
    dimensions: undefined,
    prefixes: { query: "", passage: "" },
  } as const;
}

function processes(): number[] {
  return readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}
