import { expect, it } from "vitest";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

it("long lists show 200 entries and the number omitted, as text and JSON", async () => {
  const folders = createCliFolders();
  const ops = Array.from({ length: 205 }, (_, n) => [
    `topic name="Topic ${n}"`,
    `remember e=tool:hub labels=n=${n} "Note ${n}"`,
  ]).flat();
  const applied = await runInProcess(folders, ["apply", "-"], { stdin: ops.join("\n") });
  expect(applied).toMatchObject({ code: 0 });
  for (const [args, field] of [
    [["list", "topics"], "topics"],
    [["list", "labels"], "labels"],
  ] as const) {
    const { stdout } = await runInProcess(folders, [...args, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      total: 205,
      omitted: 5,
      [field]: { length: 200 },
    });
    const result = await runInProcess(folders, [...args]);
    expect(result.stdout).toMatch(/omitted\s+5/);
  }
});
