import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export function createConfigFolders() {
  const root = mkdtempSync(join(tmpdir(), "cairn-config-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, "home");
  const cwd = join(root, "project");
  mkdirSync(home);
  mkdirSync(cwd);
  const userFile = join(home, ".config", "cairn", "config.json");
  const projectFile = join(cwd, ".cairn", "config.json");
  return {
    home,
    cwd,
    userFile,
    projectFile,
    reader: "person" as const,
    env: { HOME: home } as Record<string, string>,
    writeUser: (content: unknown) => write(userFile, content),
    writeProject: (content: unknown) => write(projectFile, content),
  };
}

function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), {
    mode: 0o600,
  });
}
