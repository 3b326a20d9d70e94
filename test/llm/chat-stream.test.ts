import { expect, it } from "vitest";
import { normalizedChatFetch } from "../../src/llm/providers/chat-stream.ts";

it("ends at [DONE], even if the server leaves the connection open", async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const chunk = JSON.stringify({
        choices: [{ delta: { content: "a" }, finish_reason: "stop" }],
      });
      controller.enqueue(new TextEncoder().encode(`data: ${chunk}\n\ndata: [DONE]\n\n`));
    },
    cancel() {
      isCancelled = true;
    },
  });
  const fetch = normalizedChatFetch(
    async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
  );
  const text = await (await fetch("http://model")).text();
  expect(text).toMatch(/"a".*\[DONE\]/s);
  expect(isCancelled).toBe(true);
});
