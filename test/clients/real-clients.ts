import { join } from "node:path";

export interface RealRun {
  readonly url: string;
  readonly home: string;
  readonly prompt: string;
}

export interface RealClient {
  readonly name: string;
  readonly npm: string;
  readonly bin: string;
  /** Additional files below the home folder that make the client use the model server. */
  files?(run: RealRun): Readonly<Record<string, unknown>>;
  args(run: RealRun): readonly string[];
  env(run: RealRun): Readonly<Record<string, string>>;
  /** Arguments that list the configured MCP servers; undefined if there is no such command. */
  readonly lists?: readonly string[];
  readonly stop?: readonly string[];
}

const openAi = ({ url }: RealRun) => ({
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: "none",
  OPENAI_MODEL: "scripted",
});

export const realClients: readonly RealClient[] = [
  {
    name: "claude-code",
    npm: "@anthropic-ai/claude-code",
    bin: "claude",
    lists: ["mcp", "list"],
    args: ({ prompt }) => ["-p", prompt, "--allowedTools", "mcp__cairn"],
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "sk-none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      IS_SANDBOX: "1",
    }),
  },
  {
    name: "codex",
    npm: "@openai/codex",
    bin: "codex",
    lists: ["mcp", "list"],
    args: ({ prompt, url }) => [
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-hook-trust",
      "-c",
      'model_provider="scripted"',
      "-c",
      `model_providers.scripted={name="scripted",base_url="${url}/v1",wire_api="responses",env_key="SCRIPTED_KEY"}`,
      "-c",
      'model="scripted"',
      prompt,
    ],
    env: () => ({ SCRIPTED_KEY: "none" }),
  },
  {
    name: "opencode",
    npm: "opencode-ai",
    bin: "opencode",
    lists: ["mcp", "list"],
    args: ({ prompt }) => ["run", "-m", "scripted/scripted", prompt],
    env: ({ url }) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${url}/v1`, apiKey: "none" },
            models: { scripted: { name: "scripted", tool_call: true } },
          },
        },
      }),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    }),
  },
  {
    name: "gemini",
    npm: "@google/gemini-cli",
    bin: "gemini",
    lists: ["mcp", "list"],
    files: () => ({
      [join(".gemini", "settings.json")]: JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
      }),
    }),
    args: ({ prompt }) => ["-p", prompt, "--approval-mode", "yolo", "--skip-trust"],
    env: ({ url }) => ({
      GEMINI_API_KEY: "none",
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
  },
  {
    name: "qwen",
    npm: "@qwen-code/qwen-code",
    bin: "qwen",
    lists: ["mcp", "list"],
    args: ({ prompt }) => ["-p", prompt, "--approval-mode", "yolo", "--auth-type", "openai"],
    env: openAi,
  },
  {
    name: "copilot",
    npm: "@github/copilot",
    bin: "copilot",
    lists: ["mcp", "list"],
    args: ({ prompt }) => ["-p", prompt, "--allow-all-tools"],
    env: ({ url }) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_API_KEY: "none",
      COPILOT_MODEL: "scripted",
    }),
  },
  {
    name: "cline",
    npm: "cline",
    bin: "cline",
    files: ({ url }) => ({
      [join(".cline", "data", "settings", "providers.json")]: JSON.stringify({
        version: 1,
        lastUsedProvider: "openai-compatible",
        modes: {},
        providers: {
          "openai-compatible": {
            settings: {
              provider: "openai-compatible",
              apiKey: "none",
              model: "scripted",
              baseUrl: `${url}/v1`,
            },
            updatedAt: "2026-01-01T00:00:00.000Z",
            tokenSource: "manual",
          },
        },
      }),
    }),
    args: ({ prompt }) => [prompt],
    env: () => ({}),
    stop: ["hub", "stop"],
  },
  {
    name: "continue",
    npm: "@continuedev/cli",
    bin: "cn",
    files: ({ url }) => ({
      [join(".continue", "config.yaml")]: [
        "name: scripted",
        "version: 1.0.0",
        "schema: v1",
        "models:",
        "  - name: scripted",
        "    provider: openai",
        "    model: gpt-4o",
        `    apiBase: ${url}/v1`,
        "    apiKey: none",
        "    roles: [chat]",
        "    capabilities: [tool_use]",
        "",
      ].join("\n"),
    }),
    args: ({ prompt, home }) => [
      "-p",
      prompt,
      "--auto",
      "--config",
      join(home, ".continue", "config.yaml"),
    ],
    env: () => ({ CONTINUE_TELEMETRY_ENABLED: "0" }),
  },
  {
    name: "goose",
    npm: "@aaif/goose",
    bin: "goose",
    args: ({ prompt }) => ["run", "--no-session", "-t", prompt],
    env: ({ url }) => ({
      GOOSE_PROVIDER: "openai",
      GOOSE_MODEL: "scripted",
      GOOSE_MODE: "auto",
      GOOSE_DISABLE_KEYRING: "1",
      OPENAI_HOST: url,
      OPENAI_API_KEY: "none",
    }),
  },
];
