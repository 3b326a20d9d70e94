import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createThreadHost, waitUntilSettled } from "../../src/agent/index.ts";
import { agentSettings } from "../../src/agent/settings.ts";
import { llmSettings } from "../../src/llm/index.ts";
import { createTestMemory } from "../support/test-memory.ts";
import { FORMS } from "./support/forms-of-apis.ts";
import { signInToBedrock } from "./support/sign-in-to-clouds.ts";

it.each(Object.entries(FORMS))(
  "are accepted as described: %s",
  async (_name, { settings, start }) => {
    await using service = await start();
    const isBedrock = settings.provider === "bedrock";
    if (isBedrock) signInToBedrock(service);
    const where = isBedrock ? {} : { baseUrl: service.baseUrl };
    const projectRoot = mkdtempSync(join(tmpdir(), "cairn-tools-"));
    const store = createTestMemory();
    const host = await createThreadHost({
      projectRoot,
      userConfigDir: join(projectRoot, "no-config"),
      dataDir: join(projectRoot, "data"),
      settings: agentSettings.parse({ sandbox: false }),
      llm: llmSettings.parse({ ...where, apiKey: "a-key-of-ours", maxRetries: 0, ...settings }),
      memory: store.memory,
      surface: "server",
      environment: process.env,
    });
    onTestFinished(async () => {
      await host.close();
      await store[Symbol.asyncDispose]();
      rmSync(projectRoot, { recursive: true, force: true });
    });
    await host.create({ threadId: "t" });
    await host.send("t", "Read all of them.");
    await waitUntilSettled(host, "t");
    expect(service.refusals).toEqual([]);
    // Two steps with calls and the final response, with file, shell and memory tools.
    const requests = service.seen.filter(
      ({ body }) => body.messages ?? body.input ?? body.contents,
    );
    expect(requests).toHaveLength(3);
    for (const name of ["read", "edit", "shell", "recall"]) {
      expect(JSON.stringify(requests[0]?.body)).toContain(`"name":"${name}"`);
    }
  },
);
