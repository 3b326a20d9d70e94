import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../../support/run-cli.ts";
import { startConversation } from "../support/conversation.ts";
import { openTestMemory } from "../support/memory.ts";
import { createTestProject } from "../support/project.ts";

const AT = { GIT_AUTHOR_DATE: "2026-03-01T09:00:00Z", GIT_COMMITTER_DATE: "2026-03-01T09:00:00Z" };
const CODE = ["export function charge() {", "  return retry(3);", "}", ""].join("\n");

const BODY =
  "A fourth attempt charged people twice when the gateway answered late, so retry(3) is the last one.";

let folders: CliFolders;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folders.project, path)), { recursive: true });
  writeFileSync(join(folders.project, path), text);
}

function git(...args: readonly string[]): void {
  const named = ["-c", "user.name=Ada", "-c", "user.email=a@b.c", ...args];
  execFileSync("git", named, {
    cwd: folders.project,
    stdio: "ignore",
    env: { ...process.env, ...AT },
  });
}

const cairn = (...args: readonly string[]) => runInProcess(folders, args);

describe("cairn why", () => {
  beforeEach(() => {
    folders = createCliFolders();
    git("init", "--quiet", "--initial-branch=main");
    write("src/pay.ts", CODE);
    git("add", ".");
    git("commit", "--quiet", `--message=Retry payments three times\n\n${BODY}`);
  });

  it("shows a line's commit, the decisions about its file and related messages", async () => {
    const decision = ["remember", "Payments are tried three times.", "-t", "decision"];
    await cairn(...decision, "--entities", "file:src/pay.ts");
    expect(await cairn("import", "--from", "git")).toMatchObject({ code: 0 });
    // Lines added above must not change the result.
    write("src/pay.ts", `// money\n${CODE}`);
    const { code, stdout } = await cairn("why", "src/pay.ts:3");
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines[0]).toBe("src/pay.ts:3  return retry(3);");
    expect(lines).toContainEqual(
      expect.stringMatching(/^decision: “Payments are tried three times\.” \(ep:1, /),
    );
    expect(stdout).toMatch(/^source: “Retry payments three times A fourth .*passage:1, .*Ada/m);
    expect(stdout).toMatch(
      /^commit: Retry payments three times \([0-9a-f]{8}, Ada, 2026-03-01\)$/m,
    );
    const json = JSON.parse((await cairn("why", "src/pay.ts:3", "--json")).stdout);
    expect(json).toMatchObject({
      file: "src/pay.ts",
      line: 3,
      commit: { author: "Ada", at: "2026-03-01T09:00:00.000Z" },
      decided: [{ id: "ep:1" }],
      passages: [{ id: "passage:1" }],
    });
  });

  it("follows a line through every name that its file had, committed or only staged", async () => {
    await cairn("remember", "Three tries.", "-t", "decision", "--entities", "file:src/pay.ts");
    expect(await cairn("import", "--from", "git")).toMatchObject({ code: 0 });
    mkdirSync(join(folders.project, "src/money"));
    git("mv", "src/pay.ts", "src/money/charge it.ts");
    git("commit", "--quiet", "--message=Move payments");
    git("mv", "src/money/charge it.ts", "src/charge.ts");
    const { stdout } = await cairn("why", "src/charge.ts:2");
    expect(stdout).toMatch(/^decision: “Three tries\.” \(ep:1, /m);
    expect(stdout).toMatch(/^source: “Retry payments three times A fourth /m);
    expect(stdout).toMatch(
      /^commit: Retry payments three times \([0-9a-f]{8}, Ada, 2026-03-01\)$/m,
    );
    expect(stdout).toMatch(/^was called src\/money\/charge it\.ts, src\/pay\.ts$/m);
    git("commit", "--quiet", "--message=Move them back up");
    const json = JSON.parse((await cairn("why", "src/charge.ts:2", "--json")).stdout);
    expect(json.earlier).toEqual(["src/money/charge it.ts", "src/pay.ts"]);
    expect(json).toMatchObject({ decided: [{ id: "ep:1" }], passages: [{ id: "passage:1" }] });
  });

  it("shows active statements, however many were replaced", async () => {
    const decide = (content: string) =>
      cairn("remember", content, "-t", "decision", "--entities", "file:src/pay.ts");
    await decide("Payments are tried three times.");
    for (let index = 2; index <= 8; index += 1) {
      await decide(`Attempt number ${index} waits for a while.`);
      expect(await cairn("supersede", `ep:${index}`, "ep:1")).toMatchObject({ code: 0 });
    }
    const { stdout } = await cairn("why", "src/pay.ts:2", "--json");
    expect(JSON.parse(stdout).decided).toMatchObject([{ id: "ep:1" }]);
  });

  it("reports that nothing is recorded", async () => {
    write("new.ts", "const one = 1;\n");
    expect(await cairn("why", "new.ts:1")).toMatchObject({
      code: 0,
      stdout: "new.ts:1  const one = 1;\nNothing is stored about this line.\n",
    });
  });

  it.each([
    ["src/pay.ts", "Name a line, such as src/pay.ts:12"],
    ["src/pay.ts:0", "Name a line"],
    ["src/pay.ts:99", "src/pay.ts has only 3 lines, no line 99"],
    ["src/none.ts:1", "src/none.ts cannot be read"],
    ["src:1", "src cannot be read"],
    ["link:1", "link is outside"],
  ])("refuses %s: %s", async (written, output) => {
    symlinkSync("/etc/hostname", join(folders.project, "link"));
    const { code, stdout, stderr } = await cairn("why", written);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(output);
  });

  it("runs nothing that the repository names", async () => {
    const touched = join(folders.home, "touched");
    write(".gitattributes", "*.ts filter=evil diff=evil\n");
    for (const key of ["filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv"]) {
      git("config", key, `touch ${touched}; cat`);
    }
    git("config", "core.fsmonitor", `touch ${touched}`);
    const { stdout } = await cairn("why", "src/pay.ts:2");
    expect(stdout).toContain("commit: Retry payments three times");
    expect(existsSync(touched)).toBe(false);
  });
});

it("/why shows the prompt for which the agent wrote the line", async () => {
  const project = await createTestProject();
  const memory = openTestMemory(project);
  const write = {
    name: "write",
    args: { path: "pay.ts", content: "export const tries = 3;\n}\n" },
  };
  const talk = await startConversation({
    ...{ project, memory, surface: "terminal" },
    answers: [{ toolCalls: [write] }, { text: "Done." }],
    settings: { permission: { mode: "auto" } },
  });
  await talk.send("Try payments three times");
  await talk.status("idle");
  await talk.send("/why pay.ts:2");
  const brace = await talk.next(
    (event) => event.type === "status" && (event.message ?? "").includes("pay.ts:2"),
  );
  expect(brace).not.toMatchObject({ message: expect.stringContaining("prompt:") });
  await talk.send("/why pay.ts:1");
  const printed = await talk.next(
    (event) => event.type === "status" && (event.message ?? "").includes("pay.ts:1"),
  );
  expect(printed).toMatchObject({
    message: expect.stringMatching(
      /pay\.ts:1 {2}export const tries = 3;\nprompt: “Try payments three/,
    ),
  });
});
