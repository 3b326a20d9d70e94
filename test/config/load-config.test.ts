import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeConfig, loadConfig, trustProject } from "../../src/config/index.ts";
import { createConfigFolders } from "./config-place.ts";

describe("the order of the sources", () => {
  it("precedence is flags, variables, project, user, defaults", () => {
    const place = createConfigFolders();
    place.writeUser({ db: "user", model: "user", provider: "ollama", editMode: "searchReplace" });
    place.writeProject({ db: "project", model: "project", provider: "google" });
    trustProject(place);
    const config = loadConfig({
      ...place,
      env: { ...place.env, CAIRN_DB: "variable", CAIRN_MODEL: "variable" },
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
    expect(config.sources.get("provider")).toEqual({ origin: "project", name: place.projectFile });
    expect(config.sources.get("editMode")).toEqual({ origin: "user", name: place.userFile });
    expect(config.sources.has("maxSteps")).toBe(false);
  });

  it("nested settings merge individually and have flags and variables", () => {
    const place = createConfigFolders();
    place.writeUser({
      subagent: { models: { explore: "small" } },
      embedding: { provider: "ollama", model: "m" },
    });
    place.writeProject({ subagent: { allowNestedSubagents: true } });
    trustProject(place);
    const { settings } = loadConfig({
      ...place,
      env: { ...place.env, CAIRN_EMBEDDING_PROVIDER: "none" },
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
    const place = createConfigFolders();
    const { settings } = loadConfig({
      ...place,
      env: {
        ...place.env,
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
    const place = createConfigFolders();
    const env = { ...place.env, OPENAI_API_KEY: "sk-open", ANTHROPIC_API_KEY: "sk-anth" };
    const keyFor = (flags: Record<string, unknown>) =>
      loadConfig({ ...place, env, flags }).settings.apiKey;
    expect(keyFor({})).toBe("sk-open");
    expect(keyFor({ provider: "anthropic" })).toBe("sk-anth");
    expect(keyFor({ provider: "openai-compatible" })).toBeUndefined();
    expect(keyFor({ provider: "anthropic", apiKey: "mine" })).toBe("mine");
  });

  it("secrets are hidden in displayed settings", () => {
    const place = createConfigFolders();
    const config = loadConfig({ ...place, flags: { apiKey: "sk-1", token: "t-1" } });
    const shown = JSON.stringify(describeConfig(config));
    expect(shown).not.toContain("sk-1");
    expect(shown).not.toContain("t-1");
    expect(shown).toContain("(hidden)");
  });
});

describe("paths", () => {
  it("XDG folders are respected, relative ones are not", () => {
    const place = createConfigFolders();
    mkdirSync(join(place.home, "conf"));
    const env = {
      ...place.env,
      XDG_CONFIG_HOME: join(place.home, "conf"),
      XDG_DATA_HOME: "relative",
    };
    const config = loadConfig({ ...place, env, platform: "linux" });
    expect(config.paths.userConfigFile).toBe(join(place.home, "conf", "cairn", "config.json"));
    expect(config.dataDir).toBe(join(place.home, ".local", "share", "cairn"));
  });

  it.each([
    ["darwin", ["Library", "Application Support", "cairn"]],
    ["win32", ["AppData", "Local", "cairn", "Data"]],
  ] as const)("on %s data is stored in the platform's folder", (platform, folders) => {
    const place = createConfigFolders();
    const env = { HOME: place.home, USERPROFILE: place.home };
    expect(loadConfig({ ...place, env, platform }).dataDir).toBe(join(place.home, ...folders));
  });

  it("a relative data folder is relative to the project or the user's config", () => {
    const place = createConfigFolders();
    expect(loadConfig({ ...place, flags: { dataDir: "d" } }).dataDir).toBe(join(place.cwd, "d"));
    place.writeUser({ dataDir: "~/d" });
    expect(loadConfig(place).dataDir).toBe(join(place.home, "d"));
  });
});

describe("errors name the source and the fix", () => {
  it.each([
    ['{"db": "x",}', /config\.json: Broken JSON: unexpected "}" at line 1, column 12/],
    ['{\n  "db": nope\n}', /Broken JSON: unexpected "n" at line 2, column 9/],
    ['{"db": "x"', /Broken JSON: it ends at line 1, column 11/],
    ["[]", /config\.json: the config must be one JSON object/],
  ])("in a file: %s", (text, message) => {
    const place = createConfigFolders();
    place.writeProject(text);
    expect(() => loadConfig(place)).toThrowError(message);
    expect(() => loadConfig(place)).toThrowError(
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
    const place = createConfigFolders();
    place.writeUser(text);
    expect(() => loadConfig(place)).toThrowError(message);
  });

  it.each(INVALID)("in an untrusted project's file, as a warning: %s", (text, message) => {
    const place = createConfigFolders();
    place.writeProject(text);
    expect(loadConfig(place).warnings).toContainEqual(expect.stringMatching(message));
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
    const place = createConfigFolders();
    place.writeUser(text);
    expect(() => loadConfig(place)).toThrowError(message);
  });

  it.each(UNKNOWN)("in a project's file, as a warning: %s", (text, message) => {
    const place = createConfigFolders();
    place.writeProject(text.replace("{", '{"editMode": "hashline", '));
    const { settings, warnings, trust } = loadConfig(place);
    expect(trust).toBe("untrusted");
    expect(warnings).toContainEqual(expect.stringMatching(message));
    expect(settings).toEqual({
      ...loadConfig(createConfigFolders()).settings,
      editMode: "hashline",
    });
  });

  it("in a trusted project's file: an unknown setting, as a warning", () => {
    const place = createConfigFolders();
    place.writeProject({ systemPrompt: "x", maxSteps: 7 });
    trustProject(place);
    const { settings, warnings, trust } = loadConfig(place);
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
    const place = createConfigFolders();
    expect(() => loadConfig({ ...place, env: { ...place.env, ...variables } })).toThrowError(
      message,
    );
  });

  it("in a flag", () => {
    const place = createConfigFolders();
    expect(() => loadConfig({ ...place, flags: { uiPort: "x" } })).toThrowError(
      '--ui-port must be a whole number such as 5, not "x"',
    );
    expect(() => loadConfig({ ...place, flags: { uiPrt: "1" } })).toThrowError(
      '"uiPrt" is not a setting. Did you mean "uiPort"?',
    );
  });

  it("a folder where the file should be", () => {
    const place = createConfigFolders();
    mkdirSync(place.projectFile, { recursive: true });
    expect(() => loadConfig(place)).toThrowError(/is not a regular file/);
  });

  it("a misspelled variable is a warning, hook variables are not", () => {
    const place = createConfigFolders();
    const env = { ...place.env, CAIRN_PROVIDR: "x", CAIRN_HOOK: "stop", CAIRN_TASK_ID: "1" };
    expect(loadConfig({ ...place, env }).warnings).toEqual([
      "CAIRN_PROVIDR is not a setting. Did you mean CAIRN_PROVIDER?",
    ]);
  });

  it("a key readable by others is a warning", () => {
    const place = createConfigFolders();
    place.writeUser({ apiKey: "sk" });
    expect(loadConfig(place).warnings).toEqual([]);
    chmodSync(place.userFile, 0o644);
    expect(loadConfig(place).warnings).toEqual([expect.stringContaining("chmod 600")]);
  });
});
