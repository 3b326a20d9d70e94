import { z } from "zod";
import { agentSettings } from "../agent/settings.ts";
import { auditSettings } from "../audit/settings.ts";
import { daemonSettings } from "../daemon/settings.ts";
import { postgresSettings } from "../database/settings.ts";
import { decidingSettings } from "../deciding/settings.ts";
import { embeddingSettings } from "../embedding/settings.ts";
import { httpSettings } from "../http/settings.ts";
import { identitySettings } from "../identity/settings.ts";
import { learnSettings } from "../learning/settings.ts";
import { llmSettings } from "../llm/settings.ts";
import { memorySettings } from "../memory/settings.ts";
import { sourcesSettings } from "../sources/settings.ts";
import { syncSettings } from "../sync/settings.ts";
import { terminalSettings } from "../tui/settings.ts";

/** The whole config file: every module's settings side by side, those of the embedder and of PostgreSQL under their names. */
export const settingsSchema = z.strictObject({
  ...memorySettings.shape,
  postgres: postgresSettings.prefault({}),
  embedding: embeddingSettings.prefault({}),
  sources: sourcesSettings.prefault({}),
  sync: syncSettings.prefault({}),
  learn: learnSettings.prefault({}),
  deciding: decidingSettings.prefault({}),
  ...llmSettings.shape,
  ...agentSettings.shape,
  ...terminalSettings.shape,
  ...httpSettings.shape,
  identity: identitySettings.prefault({}),
  audit: auditSettings.prefault({}),
  ...daemonSettings.shape,
});

export type Settings = z.output<typeof settingsSchema>;
