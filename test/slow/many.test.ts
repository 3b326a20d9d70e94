import { expect, it } from "vitest";
import { createCliFolders, runCli, startCli, waitForExit } from "../support/run-cli.ts";
import { waitFixedTime } from "../support/wait-fixed-time.ts";

it("applies 10 000 ops in one changeset, exports and imports them", async () => {
  const folders = createCliFolders();
  const changeset = Array.from({ length: 10_000 }, (_unused, index) =>
    index % 10 === 0
      ? `remember t=fact e=project:p${index % 700} "fact number ${index}"`
      : `remember "note number ${index}"`,
  );
  const applied = await runCli(folders, ["apply"], { stdin: changeset.join("\n") });
  expect(applied).toMatchObject({ code: 0, stderr: "" });
  expect(applied.stdout).toContain("Applied 10000 ops.");
  const tooMany = await runCli(folders, ["apply"], {
    stdin: `${changeset.join("\n")}\nremember "x"`,
  });
  expect(tooMany).toMatchObject({ code: 1, stdout: "" });
  expect(tooMany.stderr).toContain("split it into several");
  const backup = await runCli(folders, ["export"]);
  const restored = await runCli(folders, ["import", "--db", "copy"], { stdin: backup.stdout });
  expect(restored).toMatchObject({ code: 0, stderr: "" });
  const again = await runCli(folders, ["export", "--db", "copy"]);
  expect(again.stdout === backup.stdout).toBe(true);
  expect(await runCli(folders, ["doctor", "--db", "copy"])).toMatchObject({ code: 0 });
}, 300_000);

it("creates a new database in two processes concurrently, twenty times", async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const folders = createCliFolders();
    const both = await Promise.all(
      ["one", "two"].map((content) => runCli(folders, ["remember", content])),
    );
    for (const { code, stderr } of both) expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  }
}, 300_000);

it("keeps the vectors computed before Ctrl-C, and resumes", async () => {
  const folders = createCliFolders();
  const env = { CAIRN_EMBEDDING_PROVIDER: "minilm" };
  const notes = Array.from(
    { length: 2000 },
    (_unused, index) => `remember "Note ${index} ${"of many words ".repeat(20)}"`,
  );
  const apply = ["apply", "--no-vectors"];
  expect((await runCli(folders, apply, { stdin: notes.join("\n"), env })).code).toBe(0);
  const child = await startCli(folders, ["reindex"], { env });
  const end = waitForExit(child);
  await waitFixedTime(2500, "random moment");
  child.kill("SIGINT");
  const { code, stderr } = await end;
  expect(code).toBe(130);
  expect(stderr).toContain("Finished vectors are stored");
  expect(await runCli(folders, ["doctor"], { env })).toMatchObject({ code: 0 });
  const rest = await runCli(folders, ["reindex", "--missing", "--json"], { env });
  const { made, missing } = JSON.parse(rest.stdout);
  expect(missing).toBe(0);
  expect(made).toBeLessThan(2000);
}, 300_000);
