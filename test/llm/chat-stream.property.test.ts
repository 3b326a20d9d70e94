import fc from "fast-check";
import { expect, it } from "vitest";
import { ChatChunks, normalizedChatFetch } from "../../src/llm/providers/chat-stream.ts";
import { readArguments, resolveToolName } from "../../src/llm/read-arguments.ts";

const chunk = (delta: object, finish: string | null = null) => ({
  id: "c",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

const noise = fc.constantFrom<unknown>(
  null,
  {},
  [],
  1,
  "x",
  { choices: null },
  { choices: [] },
  { choices: [null] },
  { choices: null, usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
  chunk({ content: null, tool_calls: null }),
);

async function bytesOf(body: string, cuts: readonly number[]): Promise<string> {
  const bytes = new TextEncoder().encode(body);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      let start = 0;
      for (const end of [...ends, bytes.length]) {
        controller.enqueue(bytes.subarray(start, end));
        start = end;
      }
      controller.close();
    },
  });
  const headers = { "content-type": "text/event-stream" };
  const response = await normalizedChatFetch(async () => new Response(stream, { headers }))("x");
  return response.text();
}

function eventsOf(text: string): Record<string, unknown>[] {
  return text
    .split("\n\n")
    .filter((one) => one.startsWith("data: {"))
    .map((one) => JSON.parse(one.slice(6)));
}

it("delivers text and complete tool calls for any chunking", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "grapheme" }), { maxLength: 5 }),
      fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 1, maxLength: 8 }),
      fc.array(noise, { maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      async (texts, pieces, between, cuts) => {
        const calls = pieces.map((piece, at) => {
          const id = at === 0 ? { id: "a", type: "function" } : {};
          const fn = { ...(at === 0 && { name: "shell" }), arguments: piece };
          return chunk({ tool_calls: [{ index: 0, ...id, function: fn }] });
        });
        const all: unknown[] = [...texts.map((content) => chunk({ content })), ...calls];
        between.forEach((one, at) => {
          all.splice((at * 7) % (all.length + 1), 0, one);
        });
        all.push(chunk({}, "tool_calls"));
        const body = `${all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("")}data: [DONE]\n\n`;
        const events = eventsOf(await bytesOf(body, cuts));
        for (const { choices } of events) expect(Array.isArray(choices)).toBe(true);
        const deltas = events.flatMap(({ choices }) =>
          (choices as { delta: Record<string, unknown> }[]).map(({ delta }) => delta),
        );
        expect(deltas.map(({ content }) => content ?? "").join("")).toBe(texts.join(""));
        const delivered = deltas.flatMap(({ tool_calls: one }) => one ?? []);
        expect(delivered).toEqual([
          {
            index: 0,
            id: "a",
            type: "function",
            function: { name: "shell", arguments: pieces.join("") },
          },
        ]);
      },
    ),
    { numRuns: 150 },
  );
});

it("reads 80 000 pieces of a tool call in linear time", () => {
  const chunks = new ChatChunks();
  const piece = `data: ${JSON.stringify(chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "write", arguments: "x" } }] }))}`;
  for (let count = 0; count < 80_000; count += 1) chunks.take(piece);
  expect(chunks.finish()[0]).toHaveLength(80_000 + lengthOfEnvelope());
});

function lengthOfEnvelope(): number {
  const chunks = new ChatChunks();
  chunks.take(
    `data: ${JSON.stringify(chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "write", arguments: "" } }] }))}`,
  );
  return chunks.finish()[0]?.length ?? 0;
}

it("separates calls with the same index and accepts object arguments", () => {
  const chunks = new ChatChunks();
  const call = (id: string, args: unknown) => ({
    index: 0,
    id,
    function: { name: id, arguments: args },
  });
  chunks.take(
    `data: ${JSON.stringify(chunk({ tool_calls: [call("a", { x: 1 }), call("b", "{}")] }))}`,
  );
  const calls = chunks
    .finish()
    .map((event) => JSON.parse(event.slice(6)).choices[0].delta.tool_calls[0]);
  expect(calls.map(({ function: fn }) => fn)).toEqual([
    { name: "a", arguments: '{"x":1}' },
    { name: "b", arguments: "{}" },
  ]);
});

function callsOf(...calls: readonly object[]): { name: string; arguments: string }[] {
  const chunks = new ChatChunks();
  for (const call of calls) chunks.take(`data: ${JSON.stringify(chunk({ tool_calls: [call] }))}`);
  return chunks
    .finish()
    .map((event) => JSON.parse(event.slice(6)).choices[0].delta.tool_calls[0].function);
}

it("separates complete calls without ids that share an index or have none", () => {
  const read = (path: string) => ({ name: "read", arguments: `{"path":"${path}"}` });
  for (const index of [{ index: 0 }, {}]) {
    expect(
      callsOf(
        { ...index, function: read("a") },
        { ...index, function: read("b") },
        { ...index, function: { name: "shell", arguments: { command: "ls" } } },
      ),
    ).toEqual([read("a"), read("b"), { name: "shell", arguments: '{"command":"ls"}' }]);
    expect(callsOf({ ...index, function: read("a") }, { ...index, function: read("a") })).toEqual([
      { name: "read", arguments: '{"path":"a"}{"path":"a"}' },
    ]);
    const pieces = ['{"path"', ':"a"}'].map((text) => ({ name: "read", arguments: text }));
    expect(callsOf(...pieces.map((fn) => ({ ...index, function: fn })))).toEqual([read("a")]);
  }
});

it("ends a response that has no finish reason but an end mark", () => {
  for (const [delta, reason] of [
    [{ content: "Hi." }, "stop"],
    [{ tool_calls: [{ index: 0, function: { name: "a", arguments: "{}" } }] }, "tool_calls"],
  ] as const) {
    const chunks = new ChatChunks();
    chunks.take(`data: ${JSON.stringify(chunk(delta))}`);
    const last = chunks.take("data: [DONE]").at(-2) ?? "";
    expect(eventsOf(last)[0]?.choices).toMatchObject([{ finish_reason: reason }]);
  }
  for (const deltas of [[chunk({ role: "assistant" })], [chunk({ content: "x" }, "stop")]]) {
    const chunks = new ChatChunks();
    for (const one of deltas) chunks.take(`data: ${JSON.stringify(one)}`);
    expect(chunks.take("data: [DONE]")).toEqual(["data: [DONE]\n\n"]);
  }
});

it("reports errors outside of data lines", () => {
  const error = { code: 400, message: "the request exceeds the available context size" };
  for (const line of [`error: ${JSON.stringify(error)}`, JSON.stringify({ error })]) {
    expect(eventsOf(new ChatChunks().take(line).join(""))).toEqual([{ error }]);
  }
  expect(new ChatChunks().take(": ping")).toEqual([": ping\n"]);
});

it("joins unnamed pieces by index", () => {
  const chunks = new ChatChunks();
  const pieces = ['{"pa', 'th":"a', '.ts"}'].map((text, at) => ({
    index: 0,
    id: at === 0 ? "call_1" : `tool-call-${at}`,
    function: { name: at === 0 ? "read" : "", arguments: text },
  }));
  for (const piece of pieces)
    chunks.take(`data: ${JSON.stringify(chunk({ tool_calls: [piece] }))}`);
  const calls = chunks
    .finish()
    .map((event) => JSON.parse(event.slice(6)).choices[0].delta.tool_calls[0]);
  expect(calls).toMatchObject([
    { id: "call_1", function: { name: "read", arguments: '{"path":"a.ts"}' } },
  ]);
});

it("parses arguments in tags", () => {
  const tags = "<parameter=path>\nsrc/a.ts\n</parameter>\n<parameter=text>a < b</parameter>";
  expect(readArguments(tags)).toEqual({ value: { path: "src/a.ts", text: "a < b" } });
  for (const broken of [
    "<parameter=a>".repeat(200_000),
    `${tags} and`,
    "<parameter=>x</parameter>",
  ])
    expect(readArguments(broken)).toHaveProperty("problem");
});

it("parses objects in all forms that models send", () => {
  const forms = [
    (json: string) => json,
    (json: string) => `{}${json}`,
    (json: string) => `${json}${json}`,
    (json: string) => JSON.stringify(json),
    (json: string) => `\`\`\`json\n${json}\n\`\`\``,
  ];
  const object = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 });
  fc.assert(
    fc.property(object, fc.constantFrom(...forms), (value, form) => {
      const json = JSON.stringify(value);
      const expected: unknown = JSON.parse(json);
      expect(readArguments(form(json))).toEqual({ value: expected });
    }),
  );
});

it("reports arguments that are several objects or invalid JSON", () => {
  expect(readArguments('{"a":1}{"a":2}')).toEqual({ problem: expect.stringContaining("several") });
  expect(readArguments('{"a":')).toEqual({ problem: expect.stringContaining("not valid JSON") });
  expect(readArguments("[1]")).toEqual({ problem: expect.stringContaining("JSON object") });
  expect(readArguments('{"command":"a\nb"}')).toEqual({ value: { command: "a\nb" } });
  fc.assert(fc.property(fc.string(), (text) => void readArguments(text)));
});

it("resolves tool names with a prefix or in another case if unambiguous", () => {
  const offered = ["shell", "read", "mcp__a__Read"];
  expect(
    ["functions.shell", "Shell", "tools:read", "nope"].map((name) =>
      resolveToolName(name, offered),
    ),
  ).toEqual(["shell", "shell", "read", "nope"]);
});
