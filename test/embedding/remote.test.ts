import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEmbedder, embeddingSettings } from "../../src/embedding/index.ts";
import { postJson } from "../../src/embedding/remote/post-json.ts";

interface Received {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { model: string; input: string[] };
}

let server: Server;
let baseUrl: string;
let received: Received[];
let respond: (request: Received, response: ServerResponse) => void;

beforeEach(async () => {
  received = [];
  server = createServer(async (request, response) => {
    const seen = await read(request);
    received.push(seen);
    respond(seen, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe("an OpenAI-compatible server", () => {
  it("embeds every text, normalized and in order", async () => {
    respond = ({ body }, response) => {
      const data = body.input.map((text, index) => ({ index, embedding: [3, text.length] }));
      json(response, 200, { data: data.reverse() });
    };
    const embedder = remote("openai-compatible", { baseUrl: `${baseUrl}/v1/`, apiKey: "secret" });
    const vectors = await embedder.embed(["four", ""]);
    expect(received[0]).toMatchObject({
      path: "/v1/embeddings",
      authorization: "Bearer secret",
      body: { model: "tiny", input: ["four", ""] },
    });
    expect(vectors.map((vector) => Array.from(vector, (x) => Number(x.toFixed(3))))).toEqual([
      [0.6, 0.8],
      [1, 0],
    ]);
    expect(embedder.identity).toBe("openai-compatible:tiny");
  });

  it("gets no authorization header without a key", async () => {
    respond = (_, response) => json(response, 200, { data: [{ index: 0, embedding: [1] }] });
    await remote("openai-compatible").embed(["a"]);
    expect(received[0]?.authorization).toBeUndefined();
  });

  it("is retried after 429 and 503", async () => {
    const statuses = [429, 503, 200];
    respond = (_, response) => {
      const status = statuses[received.length - 1] ?? 500;
      response.setHeader("retry-after", "0.01");
      json(response, status, { data: [{ index: 0, embedding: [1, 0] }] });
    };
    await expect(remote("openai-compatible").embed(["a"])).resolves.toHaveLength(1);
    expect(received).toHaveLength(3);
  });

  it("is not retried after 401, and the error names status, URL and settings", async () => {
    respond = (_, response) => json(response, 401, { error: "bad key" });
    await expect(remote("openai-compatible").embed(["a"])).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/127\.0\.0\.1.*status 401.*bad key.*embedding\.apiKey/),
    });
    expect(received).toHaveLength(1);
  });

  it("is abandoned after the timeout", async () => {
    respond = () => undefined;
    const request = { url: baseUrl, body: {}, apiKey: undefined, signal: undefined, timeoutMs: 50 };
    await expect(postJson(request)).rejects.toThrow("no response within 50 ms");
  });

  it("is abandoned immediately on abort", async () => {
    const controller = new AbortController();
    respond = () => controller.abort(new Error("enough"));
    const running = remote("openai-compatible").embed(["a"], { signal: controller.signal });
    await expect(running).rejects.toThrow("enough");
    expect(received).toHaveLength(1);
  });

  it.each([
    ["fewer vectors than texts", { data: [] }],
    ["vectors that are not numbers", { data: [{ index: 0, embedding: ["x"] }] }],
    ["another shape", { result: 1 }],
    ["null", null],
  ])("is unavailable after %s", async (_, answer) => {
    respond = (_request, response) => json(response, 200, answer);
    await expect(remote("openai-compatible").embed(["a"])).rejects.toMatchObject({
      code: "unavailable",
    });
  });

  it("is unavailable after a response without JSON", async () => {
    respond = (_, response) => response.end("<html>");
    await expect(remote("openai-compatible").embed(["a"])).rejects.toThrow("not JSON");
  });

  it("splits a long text into chunks within the limit", async () => {
    respond = ({ body }, response) =>
      json(response, 200, { data: body.input.map((_, index) => ({ index, embedding: [1, 1] })) });
    const text = "word ".repeat(5_000);
    const vectors = await remote("openai-compatible").embed([text, "short"]);
    expect(vectors).toHaveLength(2);
    const pieces = received.flatMap(({ body }) => body.input);
    expect(pieces.join("")).toBe(`${text}short`);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(8_192);
  });

  it("gets many texts in several requests", async () => {
    respond = ({ body }, response) =>
      json(response, 200, { data: body.input.map((_, index) => ({ index, embedding: [1, 1] })) });
    const texts = Array.from({ length: 130 }, (_, i) => `text ${i}`);
    await expect(remote("openai-compatible").embed(texts)).resolves.toHaveLength(130);
    expect(received.map(({ body }) => body.input.length)).toEqual([64, 64, 2]);
  });

  it("needs a model's name", () => {
    const settings = embeddingSettings.parse({ provider: "openai-compatible" });
    expect(() => createEmbedder(settings)).toThrow("embedding.model is missing");
  });
});

describe("Ollama", () => {
  it("uses the configured path", async () => {
    respond = ({ body }, response) =>
      json(response, 200, { embeddings: body.input.map(() => [0, 2]) });
    const embedder = remote("ollama");
    expect((await embedder.embed(["a"])).map((vector) => Array.from(vector))).toEqual([[0, 1]]);
    expect(received[0]).toMatchObject({
      path: "/api/embed",
      body: { model: "tiny", input: ["a"] },
    });
    expect(embedder.identity).toBe("ollama:tiny");
  });

  it("reports the URL if it is not running", async () => {
    server.close();
    await expect(remote("ollama").embed(["a"])).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/127\.0\.0\.1.*ECONNREFUSED.*embedding\.baseUrl/),
    });
  });
});

it("the provider `none` makes no vectors", () => {
  expect(createEmbedder(embeddingSettings.parse({ provider: "none" }))).toBeNull();
});

function remote(provider: "openai-compatible" | "ollama", settings: object = {}) {
  const parsed = embeddingSettings.parse({ provider, model: "tiny", baseUrl, ...settings });
  const embedder = createEmbedder(parsed);
  if (embedder === null) throw new Error(`${provider} makes no vectors`);
  return embedder;
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    path: request.url,
    authorization: request.headers.authorization,
    body: JSON.parse(Buffer.concat(chunks).toString()) as Received["body"],
  };
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
