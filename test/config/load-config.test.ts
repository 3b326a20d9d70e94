import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeConfig, loadConfig, trustProject } from "../../src/config/index.ts";
import { createConfigFolders } from "./config-folders.ts";

describe("the order of the sources", () => {
  it("precedence is flags, variables, project, user, defaults", () => {
    const paths = createConfigFolders();
    paths.writeUser({ db: "user", model: "user", provider: "ollama", editMode: "searchReplace" });
    paths.writeProject({ db: "project", model: "project", provider: "google" });
    trustProject(paths);
    const config = loadConfig({
      ...paths,
      env: { ...paths.env, CAIRN_DB: "variable", CAIRN_MODEL: "variable" },
      flags: { db: "flag", model: undefined },
    });
    expect(config.settings).toMatchObject({
      db: "flag",
      model: "variable",
      provider: "google",
      editMode: "searchReplace",
    });
    expect(config.settings.maxSteps).toBeUndefined();
    expect(config.sources.get("db")).toEqual({ origin: "flag", name: "--db" });
    expect(config.sources.get("model")).toEqual({ origin: "environment", name: "CAIRN_MODEL" });
    expect(config.sources.get("provider")).toEqual({ origin: "project", name: paths.projectFile });
    expect(config.sources.get("editMode")).toEqual({ origin: "user", name: paths.userFile });
    expect(config.sources.has("maxSteps")).toBe(false);
  });

  it("nested settings merge individually and have flags and variables", () => {
    const paths = createConfigFolders();
    paths.writeUser({
      subagent: { models: { explore: "small" } },
      embedding: { provider: "ollama", model: "m" },
    });
    paths.writeProject({ subagent: { allowNestedSubagents: true } });
    trustProject(paths);
    const { settings } = loadConfig({
      ...paths,
      env: { ...paths.env, CAIRN_EMBEDDING_PROVIDER: "none" },
      flags: { embeddingFolder: "/f", "limits.requestsPerMinute": 9 },
    });
    expect(settings.subagent).toEqual({
      allowNestedSubagents: true,
      models: { explore: "small" },
    });
    expect(settings.embedding).toEqual({ provider: "none", model: "m", folder: "/f" });
    expect(settings.limits).toEqual({ requestsPerMinute: 9 });
  });

  it("empty variables are ignored, lists are comma-separated, structures are JSON", () => {
    const paths = createConfigFolders();
    const { settings } = loadConfig({
      ...paths,
      env: {
        ...paths.env,
        CAIRN_DB: "",
        CAIRN_EPISODE_TYPES: "bug, decision",
        CAIRN_HOOKS_STOP: '[{"shell":"make"}]',
        CAIRN_SANDBOX: "false",
        CAIRN_HANDOVER_THRESHOLD: "0.5",
      },
    });
    expect(settings).toMatchObject({
      db: "auto",
      episodeTypes: ["bug", "decision"],
      hooks: { stop: [{ shell: "make" }], taskDone: [] },
      sandbox: "off",
      handoverThreshold: 0.5,
    });
  });

  it("a provider's own key variable applies to that provider only, after ours", () => {
    const paths = createConfigFolders();
    const env = { ...paths.env, OPENAI_API_KEY: "sk-open", ANTHROPIC_API_KEY: "sk-anth" };
    const keyFor = (flags: Record<string, unknown>) =>
      loadConfig({ ...paths, env, flags }).settings.apiKey;
    expect(keyFor({})).toBe("sk-open");
    expect(keyFor({ provider: "anthropic" })).toBe("sk-anth");
    expect(keyFor({ provider: "openai-compatible" })).toBeUndefined();
    expect(keyFor({ provider: "anthropic", apiKey: "mine" })).toBe("mine");
  });

  it("secrets are hidden in displayed settings", () => {
    const paths = createConfigFolders();
    const config = loadConfig({ ...paths, flags: { apiKey: "sk-1", token: "t-1" } });
    const output = JSON.stringify(describeConfig(config));
    expect(output).not.toContain("sk-1");
    expect(output).not.toContain("t-1");
    expect(output).toContain("(hidden)");
  });
});

describe("paths", () => {
  it("XDG folders are respected, relative ones are not", () => {
    const paths = createConfigFolders();
    mkdirSync(join(paths.home, "conf"));
    const env = {
      ...paths.env,
      XDG_CONFIG_HOME: join(paths.home, "conf"),
      XDG_DATA_HOME: "relative",
    };
    const config = loadConfig({ ...paths, env, platform: "linux" });
    expect(config.paths.userConfigFile).toBe(join(paths.home, "conf", "cairn", "config.json"));
    expect(config.dataDir).toBe(join(paths.home, ".local", "share", "cairn"));
  });

  it.each([
    ["darwin", ["Library", "Application Support", "cairn"]],
    ["win32", ["AppData", "Local", "cairn", "Data"]],
  ] as const)("on %s data is stored in the platform's folder", (platform, folders) => {
    const paths = createConfigFolders();
    const env = { HOME: paths.home, USERPROFILE: paths.home };
    expect(loadConfig({ ...paths, env, platform }).dataDir).toBe(join(paths.home, ...folders));
  });

  it("a relative data folder is relative to the project or the user's config", () => {
    const paths = createConfigFolders();
    expect(loadConfig({ ...paths, flags: { dataDir: "d" } }).dataDir).toBe(join(paths.cwd, "d"));
    paths.writeUser({ dataDir: "~/d" });
    expect(loadConfig(paths).dataDir).toBe(join(paths.home, "d"));
  });
});

describe("errors name the source and the fix", () => {
  it.each([
    ['{"db": "x",}', /config\.json: Broken JSON: unexpected "}" at line 1, column 12/],
    ['{\n  "db": nope\n}', /Broken JSON: unexpected "n" at line 2, column 9/],
    ['{"db": "x"', /Broken JSON: it ends at line 1, column 11/],
    ["[]", /config\.json: the config must be one JSON object/],
  ])("in a file: %s", (text, message) => {
    const paths = createConfigFolders();
    paths.writeProject(text);
    expect(() => loadConfig(paths)).toThrowError(message);
    expect(() => loadConfig(paths)).toThrowError(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });

  const INVALID: readonly [string, RegExp][] = [
    ['{"provider": "openia"}', /"provider" is not valid: .*Did you mean "openai"\?/],
    ['{"maxSteps": "many"}', /"maxSteps" is not valid: .*number/],
    ['{"db": "../x"}', /"db" is not valid: A database name is/],
    ['{"episodeTypes": ["Bad Type"]}', /"episodeTypes\.0" is not valid: An episode type/],
    ['{"allowOrigin": ["*"]}', /"allowOrigin\.0" is not valid: An origin must be/],
  ];

  it.each(INVALID)("in the user's file: %s", (text, message) => {
    const paths = createConfigFolders();
    paths.writeUser(text);
    expect(() => loadConfig(paths)).toThrowError(message);
  });

  it.each(INVALID)("in an untrusted project's file, as a warning: %s", (text, message) => {
    const paths = createConfigFolders();
    paths.writeProject(text);
    expect(loadConfig(paths).warnings).toContainEqual(expect.stringMatching(message));
  });

  const UNKNOWN: readonly [string, RegExp][] = [
    ['{"modle": "x"}', /config\.json: "modle" is not a setting\. Did you mean "model"\?/],
    ['{"max_steps": 3}', /"max_steps" is not a setting\. Did you mean "maxSteps"\?/],
    ['{"zzzzzzzzzzz": 3}', /"zzzzzzzzzzz" is not a setting\. Remove it\./],
    ['{"embedding": {"modell": "x"}}', /"embedding\.modell" .*Did you mean "model"\?/],
    ['{"hooks": {"stop": [{"shel": "x"}]}}', /"hooks\.stop\.0\.shel" is not a setting/],
    ['{"__proto__": {"db": "x"}}', /"__proto__" is not a setting/],
  ];

  it.each(UNKNOWN)("in the user's file: %s", (text, message) => {
    const paths = createConfigFolders();
    paths.writeUser(text);
    expect(() => loadConfig(paths)).toThrowError(message);
  });

  it.each(UNKNOWN)("in a project's file, as a warning: %s", (text, message) => {
    const paths = createConfigFolders();
    paths.writeProject(text.replace("{", '{"editMode": "hashline", '));
    const { settings, warnings, trust } = loadConfig(paths);
    expect(trust).toBe("untrusted");
    expect(warnings).toContainEqual(expect.stringMatching(message));
    expect(settings).toEqual({
      ...loadConfig(createConfigFolders()).settings,
      editMode: "hashline",
    });
  });

  it("in a trusted project's file: an unknown setting, as a warning", () => {
    const paths = createConfigFolders();
    paths.writeProject({ systemPrompt: "x", maxSteps: 7 });
    trustProject(paths);
    const { settings, warnings, trust } = loadConfig(paths);
    expect([trust, settings.maxSteps]).toEqual(["trusted", 7]);
    expect(warnings).toEqual([expect.stringContaining('"systemPrompt" is not a setting')]);
  });

  it.each([
    [{ CAIRN_UI_PORT: "5.0" }, 'CAIRN_UI_PORT must be a whole number such as 5, not "5.0"'],
    [{ CAIRN_UI_PORT: "70000" }, "CAIRN_UI_PORT is not valid"],
    [{ CAIRN_SANDBOX: "maybe" }, "CAIRN_SANDBOX is not valid"],
    [{ CAIRN_ALLOW_OUTSIDE_PROJECT: "yes" }, "CAIRN_ALLOW_OUTSIDE_PROJECT must be true or false"],
    [{ CAIRN_PROVIDER: "x" }, "CAIRN_PROVIDER is not valid"],
    [{ CAIRN_EPISODE_TYPES: "ok,No" }, "CAIRN_EPISODE_TYPES is not valid"],
    [{ CAIRN_HOOKS_STOP: "make" }, "CAIRN_HOOKS_STOP must be JSON"],
  ])("in a variable: %j", (variables, message) => {
    const paths = createConfigFolders();
    expect(() => loadConfig({ ...paths, env: { ...paths.env, ...variables } })).toThrowError(
      message,
    );
  });

  it("in a flag", () => {
    const paths = createConfigFolders();
    expect(() => loadConfig({ ...paths, flags: { uiPort: "x" } })).toThrowError(
      '--ui-port must be a whole number such as 5, not "x"',
    );
    expect(() => loadConfig({ ...paths, flags: { uiPrt: "1" } })).toThrowError(
      '"uiPrt" is not a setting. Did you mean "uiPort"?',
    );
  });

  it("a folder where the file should be", () => {
    const paths = createConfigFolders();
    mkdirSync(paths.projectFile, { recursive: true });
    expect(() => loadConfig(paths)).toThrowError(/is not a regular file/);
  });

  it("a misspelled variable is a warning, hook variables are not", () => {
    const paths = createConfigFolders();
    const env = { ...paths.env, CAIRN_PROVIDR: "x", CAIRN_HOOK: "stop", CAIRN_TASK_ID: "1" };
    expect(loadConfig({ ...paths, env }).warnings).toEqual([
      "CAIRN_PROVIDR is not a setting. Did you mean CAIRN_PROVIDER?",
    ]);
  });

  it("a key readable by others is a warning", () => {
    const paths = createConfigFolders();
    paths.writeUser({ apiKey: "sk" });
    expect(loadConfig(paths).warnings).toEqual([]);
    chmodSync(paths.userFile, 0o644);
    expect(loadConfig(paths).warnings).toEqual([expect.stringContaining("chmod 600")]);
  });
});
