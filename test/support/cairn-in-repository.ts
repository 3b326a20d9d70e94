import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { CairnProcess, createCairnFolders } from "./cairn-process.ts";
import { startScriptedModel } from "./scripted-model.ts";

export async function createCairnRepository(settings: Readonly<Record<string, string>> = {}) {
  const place = createCairnFolders();
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: place.project, encoding: "utf8" });
  git("init", "-q");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  writeFileSync(join(place.project, "pay.ts"), "export const retries = 3;\n");
  git("add", "-A");
  git("commit", "-qm", "Begin");
  const env = {
    CAIRN_PROVIDER: "openai-compatible",
    CAIRN_MODEL: "scripted",
    CAIRN_BASE_URL: model.baseUrl,
    CAIRN_SANDBOX: "false",
    ...settings,
  };
  const start = (...args: string[]) => CairnProcess.start({ place, env, args });
  const run = async (...args: string[]) => {
    const cairn = await start(...args);
    const { code } = await cairn.exited;
    return { code, stdout: cairn.stdout, stderr: cairn.stderr };
  };
  return { place, model, git, start, run };
}
