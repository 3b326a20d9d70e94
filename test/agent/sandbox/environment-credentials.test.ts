import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { AuditLog } from "../../../src/agent/audit/audit-log.ts";
import { ConfinedCommands } from "../../../src/agent/sandbox/confined-commands.ts";
import { agentSettings } from "../../../src/agent/settings.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { findSandboxProblem } from "../support/sandbox-bench.ts";

const CREDENTIALS = {
  AWS_SECRET_ACCESS_KEY: "hidden-1",
  AWS_SESSION_TOKEN: "hidden-2",
  GITHUB_TOKEN: "hidden-3",
  GH_TOKEN: "hidden-4",
  NPM_TOKEN: "hidden-5",
  NODE_AUTH_TOKEN: "hidden-6",
  DATABASE_URL: "postgres://hidden-7",
  CACHE_ADDRESS: "redis://me:hidden-8@cache",
  PGPASSWORD: "hidden-9",
  VAULT_TOKEN: "hidden-10",
  SSH_AUTH_SOCK: "/run/hidden-11",
  STRIPE_API_KEY: "hidden-12",
  SENTRY_DSN: "hidden-13",
  GIT_ASKPASS: "hidden-14",
};
const PLAIN = { NODE_ENV: "test", KEYBOARD: "qwerty", MONKEY: "banana" };

it.skipIf((await findSandboxProblem()) !== undefined)(
  "hides credentials in environment variables, except from the granted program",
  async () => {
    const folder = await realpath(await mkdtemp(join(homedir(), ".cairn-sandbox-test-")));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const projectRoot = join(folder, "project");
    await mkdir(projectRoot);
    const own = { PATH: process.env.PATH ?? "", HOME: homedir() };
    const environment = { ...own, ...CREDENTIALS, ...PLAIN };
    const commands = new ConfinedCommands({
      ...{ projectRoot, environment, userConfigDir: join(folder, "config") },
      ...{ dataDir: join(folder, "data"), notify: () => undefined },
      settings: agentSettings.parse({ sandbox: "required" }),
      audit: new AuditLog(join(folder, "audit.jsonl"), systemClock),
    });
    onTestFinished(async () => (await commands.open()).close());
    const printedBy = async (credential?: string) => {
      const options = credential === undefined ? {} : { credential };
      const { command, finished } = await commands.wrap("env", options);
      const how = { cwd: projectRoot, env: environment, encoding: "utf8" } as const;
      const { stdout } = spawnSync("sh", ["-c", command], how);
      await finished?.();
      return stdout;
    };
    const printed = await printedBy();
    for (const value of Object.values(PLAIN)) expect(printed).toContain(value);
    expect(printed).not.toContain("hidden-");
    const granted = await printedBy("GitHub");
    expect([...granted.matchAll(/hidden-\d+/g)].flat().sort()).toEqual(["hidden-3", "hidden-4"]);
  },
);
