import { afterAll, beforeAll, expect, it } from "vitest";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";

/** Above the compression threshold. */
const LONG = "long ".repeat(1_000);

let server: MemoryServer;

beforeAll(async () => {
  server = await serveMemory();
});

afterAll(() => server.end());

async function write(method: string, path: string, body?: object) {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { "content-type": "application/json", "accept-encoding": "gzip" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect([path, response.status < 300, text]).toEqual([path, true, text]);
  return {
    change: response.headers.get("cairn-change"),
    isPacked: response.headers.get("content-encoding") === "gzip",
    output: JSON.parse(text) as Record<string, ReturnType<typeof JSON.parse>>,
  };
}

it("every write returns its change id, also with long responses", async () => {
  const about = { episode_type: "fact", entities: ["tool:gateway"] };
  const first = await write("POST", "/episodes", { content: `The first ${LONG}`, ...about });
  const second = await write("POST", "/episodes", { content: `The second ${LONG}`, ...about });
  const a = first.output.fact_id ?? first.output.fact?.id;
  const b = second.output.fact_id ?? second.output.fact?.id;
  const conflict = await write("POST", "/apply", {
    changeset: `conflict fact_a=${a} fact_b=${b}`,
  });
  const conflictId = conflict.output.results[0].id;
  const written = [
    first,
    second,
    conflict,
    await write("POST", `/conflicts/${conflictId}/resolve`, { winning_fact_id: a }),
    await write("PATCH", `/episodes/${first.output.id}`, { content: `Changed ${LONG}` }),
    await write("POST", "/apply", {
      changeset: Array.from({ length: 40 }, (_, n) => `remember "Line ${n}"`).join("\n"),
    }),
    await write("POST", "/concepts", { title: "A rule", summary: LONG, from: ["ep:1"] }),
  ];
  expect(written.map(({ change }) => change?.replace(/\d+$/, "N"))).toEqual(
    written.map(() => "change:N"),
  );
  expect(written.filter(({ isPacked }) => isPacked).length).toBeGreaterThan(2);
  const undone = await write("POST", "/undo", { change: written.at(-2)?.change });
  expect(undone.change).toMatch(/^change:/);
});
