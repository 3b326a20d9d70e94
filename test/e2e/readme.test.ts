// @module-tag long: runs every command of the README.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/shared/package.ts";
import { textsOf } from "../support/blocks-of-pages.ts";
import { buildCli } from "../support/built-cli.ts";
import { CairnProcess, createCairnFolders } from "../support/cairn-process.ts";
import { createGitRunner, writeSession } from "../support/create-git-runner.ts";

const run = promisify(execFile);
const readme = readFileSync(join(packageRoot(), "README.md"), "utf8");
const blocks = Array.from(readme.matchAll(/^```(sh(?: \w+)?)\n([\s\S]*?)^```$/gm), (match) => ({
  language: match[1] ?? "",
  text: match[2] ?? "",
}));

/** A clone in which `cairn` and `node bin/cairn.js` run the current sources. */
async function createClone() {
  const place = createCairnFolders();
  const main = await buildCli();
  const bin = join(place.project, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "cairn.js"), `import ${JSON.stringify(main)};\n`);
  writeFileSync(join(bin, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(bin, "cairn"), `#!/bin/sh\nexec node "${bin}/cairn.js" "$@"\n`, {
    mode: 0o755,
  });
  symlinkSync(join(packageRoot(), "examples"), join(place.project, "examples"));
  const shell = async (script: string) => {
    const env = { HOME: place.home, CAIRN_DAEMON: "off", PATH: `${bin}:${process.env.PATH ?? ""}` };
    return run("sh", ["-e", "-c", script], { cwd: place.project, env });
  };
  return { place, shell };
}

/** Replaces random concept ids and today's date. */
function alike(text: string): string {
  return text.replace(/\bc[a-z0-9]{16}\b/g, "CONCEPT").replace(/\b\d{4}-\d\d-\d\d\b/g, "DATE");
}

describe("the README", () => {
  it("installs and does the main job with its first command, and tests with its second", async () => {
    const [first, second] = blocks;
    expect(first?.text).toMatch(/^npm ci && node bin\/cairn\.js apply /);
    expect(second?.text).toBe("npm ci && npm test\n");
    const { shell } = await createClone();
    const { stdout } = await shell(first?.text.replace("npm ci && ", "") ?? "");
    expect(stdout).toContain("Applied 21 ops");
    expect(stdout).toContain("A retry after a timeout charged 14 customers twice");
    expect(stdout).toContain("Make every side effect idempotent");
    const lines = /^```text\n([\s\S]*?)^```$/m.exec(readme)?.[1]?.split("\n") ?? [];
    const printed = alike(stdout);
    // `…` marks omitted text.
    const begun = lines.map((line) => alike(line.split("…")[0] ?? "").trim()).filter(Boolean);
    expect(begun.length).toBeGreaterThan(5);
    expect(begun.filter((line) => !printed.includes(line))).toEqual([]);
  });

  it("shows commands that work one after the other, in the shell and over HTTP", async () => {
    const { place, shell } = await createClone();
    createGitRunner(place.project)(
      "commit",
      "--quiet",
      "--allow-empty",
      "-m",
      "Retry three times at most",
    );
    writeSession(place.home, place.project);
    const [first, _second, ...further] = blocks;
    await shell(first?.text.replace("npm ci && ", "") ?? "");
    let address: string | undefined;
    for (const { language, text } of further) {
      if (language === "sh server") {
        const args = [...text.trim().split(" ").slice(1), "--port", "0"];
        const server = await CairnProcess.start({ place, args });
        address = await server.ready();
        continue;
      }
      const script = text.replaceAll("http://127.0.0.1:7433", address ?? "no server yet");
      const { stdout } = await shell(script);
      expect(stdout).not.toContain('"error"');
      if (script.includes("curl")) {
        expect(stdout).toContain("We deploy on Tuesdays");
        expect(stdout).toMatch(/"id":"ep:\d+"/);
      }
    }
    expect(address).toBeDefined();
    const [overHttp = ""] = textsOf("docs/guides/mcp-clients.md", "sh over http");
    const { stdout } = await shell(
      overHttp.replaceAll("http://127.0.0.1:7433", address ?? "no server yet"),
    );
    expect(stdout).toMatch(/"text":"ep:\d+ /);
    for (const command of ["cairn doctor", "cairn reindex", "cairn doctor"]) await shell(command);
  }, 360_000);

  it("contains no dead links", () => {
    const links = Array.from(readme.matchAll(/\]\(([^)#]+)\)/g), (match) => match[1] ?? "");
    expect(links.filter((link) => !existsSync(join(packageRoot(), link)))).toEqual([]);
  });

  it("shows MCP configs that are JSON", () => {
    const configs = Array.from(readme.matchAll(/^```json\n([\s\S]*?)^```$/gm), (m) => m[1] ?? "");
    for (const config of configs) {
      expect(JSON.parse(config)).toHaveProperty("mcpServers.cairn.command", "cairn");
    }
    expect(configs).toHaveLength(1);
  });
});
