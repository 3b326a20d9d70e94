import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/shared/package.ts";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";
import { wordsOf } from "../support/typed-commands.ts";

const docs = join(packageRoot(), "docs");

interface Typed {
  readonly command: string;
  /** Lines that must appear in this order. `…` matches any text. */
  readonly shown: readonly string[];
}

const typed = Array.from(
  readFileSync(join(docs, "tutorial.md"), "utf8").matchAll(/^```console\n([\s\S]*?)^```$/gm),
  ([, block = ""]) => block,
).flatMap((block) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((text): Typed => {
      const [command = "", ...shown] = text.trimEnd().split("\n");
      return { command, shown };
    }),
);

it("the tutorial shows the actual output of its commands in order", async () => {
  const folders = createCliFolders();
  expect(typed.length).toBeGreaterThan(12);
  for (const { command, shown } of typed) {
    const [program, ...args] = wordsOf(command);
    expect(program).toBe("cairn");
    const { code, stdout, stderr } = await runInProcess(folders, args, {
      env: { CAIRN_DB: "tour" },
    });
    expect([command, code, stderr]).toEqual([command, 0, ""]);
    let rest = stdout;
    for (const line of shown.filter((text) => text !== "…")) {
      const found = new RegExp(`^${line.split("…").map(literally).join(".*")}`, "m").exec(rest);
      expect([command, line, found === null ? rest : "found"]).toEqual([command, line, "found"]);
      rest = rest.slice((found?.index ?? 0) + (found?.[0].length ?? 0));
    }
  }
}, 180_000);

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

it("the pages contain no dead links", () => {
  const pages = readdirSync(docs).filter((file) => file.endsWith(".md"));
  const broken = pages.flatMap((page) => {
    const path = join(docs, page);
    const links = readFileSync(path, "utf8").matchAll(/\]\(([^)#]+)\)/g);
    return Array.from(links, ([, link = ""]) => link)
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => !isThere(resolve(dirname(path), link)))
      .map((link) => `${page}: ${link}`);
  });
  expect(broken).toEqual([]);
});

function isThere(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EISDIR";
  }
}
