// @module-tag long: many key presses in a terminal.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { setUpStage } from "./support/stage.ts";

const stage = setUpStage();
let provider: Server | undefined;
afterEach(() => provider?.close());

async function listing(...names: readonly string[]): Promise<string> {
  provider = createServer((request, response) => {
    if (request.url?.endsWith("/models")) {
      response.end(JSON.stringify({ data: names.map((id) => ({ id })) }));
      return;
    }
    const target = new URL(`${stage.model.baseUrl}/chat/completions`);
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", async () => {
      const answer = await fetch(target, { method: "POST", body: Buffer.concat(chunks) });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  });
  await new Promise<void>((resolve) => provider?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
}

const NAMES = ["claude-haiku-4-5", "claude-sonnet-4-5", "gpt-5", "gpt-5-mini", "qwen3-coder"];
const modelsAsked = () => stage.model.requests.map(({ body }) => body.model);

it("/model lists the provider's models with fuzzy search", async () => {
  const baseUrl = await listing(...NAMES);
  const terminal = stage.start({ baseUrl });
  await terminal.waitFor("scripted");
  await terminal.settle();
  terminal.type("/model\r");
  await terminal.waitFor("Models · type to search");
  expect(terminal.screen).toContain("› scripted  now");
  terminal.type("son45");
  await terminal.waitForGone("gpt-5");
  expect(terminal.screen).toContain("› claude-sonnet-4-5");
  terminal.type("\r");
  await terminal.waitFor("The model is claude-sonnet-4-5 from the next message on.");
  await terminal.waitFor(/^claude-sonnet-4-5 · /m);
  terminal.type("hello\r");
  await stage.model.waitForRequests(1);
  expect(modelsAsked()).toEqual(["claude-sonnet-4-5"]);
});

it("completes the name after /model and preserves complete names", async () => {
  const baseUrl = await listing(...NAMES);
  const terminal = stage.start({ baseUrl });
  await terminal.waitFor("scripted");
  await terminal.settle();
  terminal.type("/model q3c");
  await terminal.waitFor("› qwen3-coder");
  terminal.type("\t");
  await terminal.waitFor("› /model qwen3-coder");
  terminal.type("\x15/model gpt-5");
  await terminal.waitFor("› gpt-5");
  terminal.type("\r");
  await terminal.waitFor("The model is gpt-5 from the next message on.");
});

it("explains a missing model list and how to choose a model", async () => {
  const terminal = stage.start({ baseUrl: "http://127.0.0.1:9/v1" });
  await terminal.waitFor("scripted");
  await terminal.settle();
  terminal.type("/model\r");
  await terminal.waitFor("does not list its models");
  terminal.type("/model my-own\r");
  await terminal.waitFor("The model is my-own from the next message on.");
  await terminal.waitFor(/^my-own · /m);
});

it("completes command arguments", async () => {
  const terminal = stage.start();
  await terminal.waitFor("scripted");
  terminal.type("/effort m");
  await terminal.waitFor("› medium");
  terminal.type("\r");
  await terminal.waitFor("The effort is medium from the next message on.");
});
