import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ScriptedCall } from "./scripted-apis.ts";

/** Environment of an agent; it stores all its data below `home`. */
export interface Stage {
  readonly home: string;
  readonly project: string;
  /** Address of the scripted model, without a path. */
  readonly address: string;
}

export interface Peer {
  readonly name: string;
  /** Name of its executable. */
  readonly program: string;
  readonly args: readonly string[];
  /** Matches the screen when the agent accepts a message. */
  readonly prompt: RegExp;
  /** Creates a call of its tool that reads a file; absent if the agent reads files by commands. */
  read?(path: string): ScriptedCall;
  /** Writes its config and returns its environment variables. */
  prepare(stage: Stage): Readonly<Record<string, string>>;
}

const KEY = "sk-scripted-0000000000000000";

export const CAIRN: Peer = {
  name: "cairn",
  program: "cairn",
  args: [],
  prompt: /scripted/,
  read: (path) => ({ name: "read", args: { path } }),
  prepare: ({ home, address }) => ({
    CAIRN_DATA_DIR: join(home, "data"),
    CAIRN_PROVIDER: "openai-compatible",
    CAIRN_BASE_URL: `${address}/v1`,
    CAIRN_MODEL: "scripted",
  }),
};

/** Each is configured to start without a network, a login or a prompt. */
export const PEERS: readonly Peer[] = [
  {
    name: "codex",
    program: "codex",
    args: [],
    prompt: /›/,
    prepare: ({ home, project, address }) => {
      write(
        join(home, ".codex", "config.toml"),
        [
          'model = "scripted"',
          'model_provider = "local"',
          "check_for_update_on_startup = false",
          "[model_providers.local]",
          'name = "local"',
          `base_url = "${address}/v1"`,
          'wire_api = "responses"',
          'env_key = "LOCAL_KEY"',
          `[projects."${project}"]`,
          'trust_level = "trusted"',
        ].join("\n"),
      );
      return { CODEX_HOME: join(home, ".codex"), LOCAL_KEY: KEY };
    },
  },
  {
    name: "claude",
    program: "claude",
    args: [],
    prompt: /\? for shortcuts|❯|Try "/,
    read: (file_path) => ({ name: "Read", args: { file_path } }),
    prepare: ({ home, project, address }) => {
      const state = {
        hasCompletedOnboarding: true,
        theme: "dark",
        customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
        projects: { [project]: { hasTrustDialogAccepted: true, allowedTools: [] } },
      };
      write(join(home, ".claude.json"), JSON.stringify(state));
      return {
        ANTHROPIC_BASE_URL: address,
        ANTHROPIC_API_KEY: KEY,
        DISABLE_AUTOUPDATER: "1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      };
    },
  },
  {
    name: "gemini",
    program: "gemini",
    // Without a model name, the agent first asks another model to select one.
    args: ["--model", "gemini-2.5-pro"],
    prompt: /Type your message/,
    prepare: ({ home, address }) => {
      const settings = {
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      };
      write(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
      return { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: address };
    },
  },
  {
    name: "opencode",
    program: "opencode",
    args: [],
    prompt: /Ask anything/,
    read: (filePath) => ({ name: "read", args: { filePath } }),
    prepare: ({ home, address }) => {
      const config = {
        model: "local/scripted",
        small_model: "local/scripted",
        autoupdate: false,
        share: "disabled",
        provider: {
          local: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${address}/v1`, apiKey: KEY },
            models: { scripted: { name: "scripted" } },
          },
        },
      };
      write(join(home, ".config", "opencode", "opencode.json"), JSON.stringify(config));
      return { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" };
    },
  },
  {
    name: "pi",
    program: "pi",
    args: ["--provider", "local", "--model", "scripted"],
    prompt: /scripted/,
    read: (path) => ({ name: "read", args: { path } }),
    prepare: ({ home, address }) => {
      const models = {
        providers: {
          local: {
            baseUrl: `${address}/v1`,
            apiKey: KEY,
            api: "openai-completions",
            models: [{ id: "scripted" }],
          },
        },
      };
      write(join(home, ".pi", "agent", "models.json"), JSON.stringify(models));
      return { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" };
    },
  },
];

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
