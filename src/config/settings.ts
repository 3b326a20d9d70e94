import { z } from "zod";
import { identitySettings } from "../access/identity/settings.ts";
import { agentSettings } from "../agent/settings.ts";
import { daemonSettings } from "../app/daemon/settings.ts";
import { postgresSettings } from "../database/settings.ts";
import { embeddingSettings } from "../embedding/settings.ts";
import { learnSettings } from "../ingest/learning/settings.ts";
import { syncSettings } from "../ingest/repository/settings.ts";
import { sourcesSettings } from "../ingest/sources/settings.ts";
import { userLlmSettings } from "../llm/settings.ts";
import { memorySettings } from "../memory/settings.ts";
import { httpSettings } from "../server/http/settings.ts";
import { terminalSettings } from "../terminal/settings.ts";

export const settingsSchema = z.strictObject({
  ...memorySettings.shape,
  postgres: postgresSettings.prefault({}),
  embedding: embeddingSettings.prefault({}),
  sources: sourcesSettings.prefault({}),
  sync: syncSettings.prefault({}),
  learn: learnSettings.prefault({}),
  ...userLlmSettings.shape,
  ...agentSettings.shape,
  ...terminalSettings.shape,
  ...httpSettings.shape,
  identity: identitySettings.prefault({}),
  ...daemonSettings.shape,
});

export type Settings = z.output<typeof settingsSchema>;
