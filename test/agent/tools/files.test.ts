import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashLine, hashline } from "../../../src/agent/edits/hash-line.ts";
import { hashlineEditTool, searchReplaceEditTool } from "../../../src/agent/tools/edit.ts";
import { filegrepTool, readTool, skimTool } from "../../../src/agent/tools/read.ts";
import { writeTool } from "../../../src/agent/tools/write.ts";
import { openToolBench, type ToolBench } from "../support/tool-bench.ts";

let bench: ToolBench;
beforeEach(async () => {
  bench = await openToolBench();
});
afterEach(() => bench.close());

const put = (path: string, content: string | Buffer) => writeFile(join(bench.root, path), content);
const get = (path: string) => readFile(join(bench.root, path), "utf8");

describe("read, skim and filegrep", () => {
  it("show LINE:HASH|text in hashline mode, plain text in the other", async () => {
    await put("a.txt", "one\r\ntwo");
    const result = await bench.run(readTool("hashline"), { path: "a.txt" });
    expect(result.text).toBe(`${hashline("one", 1)}\n${hashline("two", 2)}`);
    const plain = await bench.run(readTool("searchReplace"), { path: "a.txt" });
    expect(plain.text).toBe("one\ntwo");
  });

  it("reads at most two thousand lines and explains how to continue", async () => {
    await put("a.txt", "x\n".repeat(2500));
    const { text } = await bench.run(readTool("searchReplace"), { path: "a.txt" });
    expect(text.split("\n")).toHaveLength(2001);
    expect(text).toContain("(500 more lines; continue with offset 2001)");
    const rest = await bench.run(readTool("searchReplace"), { path: "a.txt", offset: 2001 });
    expect(rest.text.split("\n")).toHaveLength(500);
  });

  it("skim a range with both ends", async () => {
    await put("a.txt", "1\n2\n3\n4\n");
    const { text } = await bench.run(skimTool("searchReplace"), {
      path: "a.txt",
      start_line: 2,
      end_line: 3,
    });
    expect(text).toContain("2\n3");
    expect(text).not.toContain("4");
  });

  it("finds lines with context", async () => {
    await put("a.txt", Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join("\n"));
    const { text } = await bench.run(filegrepTool("searchReplace"), {
      path: "a.txt",
      pattern: "^line (5|20)$",
      context: 1,
    });
    expect(text).toBe("4|line 4\n5|line 5\n6|line 6\n--\n19|line 19\n20|line 20\n21|line 21");
  });

  it("stops a pattern with catastrophic backtracking, and the process survives", {
    tags: ["long"],
    timeout: 45_000,
  }, async () => {
    await put("a.txt", `${"a".repeat(40)}b`);
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 50);
    const search = bench.run(filegrepTool("hashline"), { path: "a.txt", pattern: "^(a+)+$" });
    await expect(search).rejects.toThrow("simplify");
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
  });

  it("reports folders, binary files and missing files", async () => {
    await put("b.bin", Buffer.from([1, 0, 2]));
    await expect(bench.run(readTool("hashline"), { path: "." })).rejects.toThrow("is a folder");
    await expect(bench.run(readTool("hashline"), { path: "b.bin" })).rejects.toThrow("binary");
    await expect(bench.run(readTool("hashline"), { path: "no" })).rejects.toThrow("no file");
  });
});

describe("write and edit", () => {
  it("a folder that is a file is an error without the path on disk", async () => {
    await put("a.txt", "x");
    for (const path of ["a.txt/b.txt", "a.txt/deep/b.txt"]) {
      const writing = bench.run(writeTool, { path, content: "x" });
      await expect(writing).rejects.toThrow(`A parent folder of "${path}" is a file.`);
    }
  });

  it("write creates folders, and overwrites only on request", async () => {
    await bench.run(writeTool, { path: "a/b/c.txt", content: "1\n" });
    expect(await get("a/b/c.txt")).toBe("1\n");
    await expect(bench.run(writeTool, { path: "a/b/c.txt", content: "2" })).rejects.toThrow(
      "overwrite",
    );
    const { diff } = await bench.run(writeTool, {
      path: "a/b/c.txt",
      content: "2\n",
      overwrite: true,
    });
    expect(diff).toContain("-1\n+2");
  });

  it("edit preserves the mode and returns a unified diff", async () => {
    await put("run.sh", "echo 1\necho 2\n");
    await chmod(join(bench.root, "run.sh"), 0o751);
    const { diff } = await bench.run(hashlineEditTool, {
      path: "run.sh",
      edits: [{ start: `2:${hashLine("echo 2")}`, content: "echo 3" }],
    });
    expect(diff).toBe("--- a/run.sh\n+++ b/run.sh\n@@ -1,2 +1,2 @@\n echo 1\n-echo 2\n+echo 3\n");
    expect((await stat(join(bench.root, "run.sh"))).mode & 0o777).toBe(0o751);
  });

  it("edit returns the anchors around it, which the next edit accepts", async () => {
    await put("a.txt", Array.from({ length: 9 }, (_, index) => `line ${index + 1}`).join("\n"));
    const first = await bench.run(hashlineEditTool, {
      path: "a.txt",
      edits: [{ start: `5:${hashLine("line 5")}`, content: "five\nand a half" }],
    });
    const lines = [
      "line 2",
      "line 3",
      "line 4",
      "five",
      "and a half",
      "line 6",
      "line 7",
      "line 8",
    ];
    expect(first.text).toBe(
      `Edited a.txt (+2 −1)\n${lines.map((line, index) => hashline(line, index + 2)).join("\n")}`,
    );
    const anchor = /^7:[0-9a-f]{4}/m.exec(first.text)?.[0];
    await bench.run(hashlineEditTool, {
      path: "a.txt",
      edits: [{ start: anchor, content: "six" }],
    });
    expect(await get("a.txt")).toContain("and a half\nsix\nline 7");
  });

  it("keeps all concurrent edits of one file", async () => {
    await put("a.txt", Array.from({ length: 20 }, (_, index) => `line-${index};`).join("\n"));
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        bench.run(searchReplaceEditTool, {
          path: "a.txt",
          old_text: `line-${index};`,
          new_text: `changed-${index};`,
        }),
      ),
    );
    expect((await get("a.txt")).match(/changed/g)).toHaveLength(20);
  });

  it("searchReplace matches literally and once, and accepts LF in a CRLF file", async () => {
    await put("a.txt", "a\r\nb\r\na\r\n");
    const edit = (old_text: string, new_text: string, replace_all?: boolean) =>
      bench.run(searchReplaceEditTool, {
        path: "a.txt",
        old_text,
        new_text,
        ...(replace_all !== undefined && { replace_all }),
      });
    await expect(edit("a", "x")).rejects.toThrow("occurs 2 times");
    await expect(edit("z", "x")).rejects.toThrow("not in the file");
    await edit("a\nb", "$&\n$1");
    expect(await get("a.txt")).toBe("$&\r\n$1\r\na\r\n");
    await edit("$", "a", true);
    expect(await get("a.txt")).toBe("a&\r\na1\r\na\r\n");
  });

  it("a file that is not UTF-8 is not edited", async () => {
    await put("latin1.txt", Buffer.from([0x61, 0xe9, 0x0a]));
    await expect(
      bench.run(searchReplaceEditTool, { path: "latin1.txt", old_text: "a", new_text: "b" }),
    ).rejects.toThrow("not UTF-8");
  });
});

describe("paths", () => {
  it("never leave the project through links or missing parents", async () => {
    await mkdir(join(bench.root, "../outside"));
    await writeFile(join(bench.root, "../outside/secret.txt"), "secret");
    await symlink("../outside", join(bench.root, "link"));
    await symlink("../outside/new.txt", join(bench.root, "dangling"));
    await symlink("circle", join(bench.root, "circle"));
    for (const path of [
      "../outside/secret.txt",
      "link/secret.txt",
      "/etc/passwd",
      "a/../../outside/secret.txt",
    ]) {
      await expect(bench.run(readTool("hashline"), { path }), path).rejects.toThrow("out of the");
    }
    for (const path of ["link/new.txt", "link/deep/er/new.txt", "dangling", "../x", "circle"]) {
      await expect(bench.run(writeTool, { path, content: "x" }), path).rejects.toThrow();
    }
    await expect(stat(join(bench.root, "../outside/new.txt"))).rejects.toThrow("ENOENT");
  });

  it("of the agent's folder only skills, subagents and commands are written", async () => {
    for (const path of [
      ".cairn/config.json",
      ".cairn/plans.json",
      ".cairn/skills",
      ".CAIRN/config.json",
      "a/../.cairn/config.json",
    ]) {
      await expect(bench.run(writeTool, { path, content: "x" }), path).rejects.toThrow(".cairn");
    }
    for (const folder of ["skills/a", "subagents", "commands"]) {
      await bench.run(writeTool, { path: `.cairn/${folder}/x.md`, content: "x" });
    }
  });

  it("a link into the agent's folder does not help", async () => {
    await mkdir(join(bench.root, ".cairn"));
    await symlink(".cairn", join(bench.root, "alias"));
    await expect(bench.run(writeTool, { path: "alias/config.json", content: "x" })).rejects.toThrow(
      ".cairn",
    );
  });

  it("widened by the user reach everywhere but the user's config and the data", async () => {
    const wide = await openToolBench({ allowOutsideProject: true });
    await wide.run(writeTool, { path: "../elsewhere.txt", content: "x" });
    for (const path of ["../config/config.json", "../config/skills/a.md", "../data/x.db"]) {
      await expect(wide.run(writeTool, { path, content: "x" }), path).rejects.toThrow("cairn");
    }
    await wide.close();
  });
});
