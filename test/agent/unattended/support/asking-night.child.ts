import { join } from "node:path";
import { createThreadHost } from "../../../../src/agent/index.ts";
import { agentSettings } from "../../../../src/agent/settings.ts";
import { beginNight } from "../../../../src/agent/unattended/open-night.ts";
import type { AskingNight } from "./asking-night.ts";
import { options } from "./begun.ts";

/** A run as a shell starts one, which asks about every command. */
async function work({ project, dataDir, baseUrl }: AskingNight): Promise<void> {
  const settings = agentSettings.parse({ sandbox: "off", permission: { mode: "ask" } });
  const tasks = [{ id: "1", name: "Publish it", details: "", checks: [], after: [] }];
  await beginNight(
    { dataDir, options: { ...options, project }, tasks, memorySeq: null },
    {
      openHost: ({ copy, aroundModel, settings: over, isUnattended }) =>
        createThreadHost({
          ...{ projectRoot: copy?.tree ?? project, dataDir, userConfigDir: join(dataDir, "none") },
          ...(copy !== undefined && { copy }),
          settings: { ...settings, ...over },
          llm: {
            ...{ provider: "openai-compatible", model: "scripted", baseUrl, maxRetries: 0 },
            ...{ idleTimeoutMs: 60_000, headers: {}, prices: {} },
          },
          memory: undefined,
          surface: "terminal",
          environment: process.env,
          ...{ aroundModel, isUnattended },
        }),
      notify: async () => undefined,
      tell: (line) => process.stdout.write(`${line}\n`),
      signal: new AbortController().signal,
    },
  );
}

work(JSON.parse(process.argv[2] ?? "")).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
