import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export interface TestProject {
  readonly projectRoot: string;
  readonly userConfigDir: string;
  /** Writes a file in the project, or in the user's config folder with the prefix `user:`. */
  write(path: string, text: string): Promise<string>;
}

export async function createTestProject(): Promise<TestProject> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "cairn-agent-")));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const projectRoot = join(base, "project");
  const userConfigDir = join(base, "user");
  await mkdir(projectRoot);
  await mkdir(userConfigDir);
  return {
    projectRoot,
    userConfigDir,
    async write(path, text) {
      const target = path.startsWith("user:")
        ? join(userConfigDir, path.slice("user:".length))
        : join(projectRoot, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
      return target;
    },
  };
}
