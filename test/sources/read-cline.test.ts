import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readSessions, SESSION_FOLDERS, type SourceBatch } from "../../src/sources/index.ts";

const PROJECT = "/work/shop";

/** As Cline 3 writes it: one list of what goes to Anthropic's service. */
function task(folder: string, id: string, cwd: string | undefined): void {
  const told = cwd === undefined ? "" : `\n# Current Working Directory (${cwd}) Files\nsrc/a.ts\n`;
  const history = [
    {
      role: "user",
      content: [
        { type: "text", text: "<task>\nCap the retries at seven\n</task>" },
        { type: "text", text: `<environment_details>${told}</environment_details>` },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Settled: seven attempts." },
        {
          ...{ type: "tool_use", id: "t1", name: "write_to_file" },
          input: { path: "src/retry.ts", content: "" },
        },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "Saved." }] },
  ];
  mkdirSync(join(folder, id), { recursive: true });
  writeFileSync(join(folder, id, "api_conversation_history.json"), JSON.stringify(history));
  writeFileSync(join(folder, id, "ui_messages.json"), "[]");
}

it("reads the tasks of Cline that worked in the project, each under its own name", async () => {
  const place = SESSION_FOLDERS.cline?.({
    ...{ home: mkdtempSync(join(tmpdir(), "cairn-cline-")), env: {}, project: PROJECT },
  });
  if (place === undefined) throw new Error("Cline is not known.");
  task(place.folder, "1772355600000", PROJECT);
  task(place.folder, "1772355700000", "/work/other");
  task(place.folder, "1772355800000", undefined);
  const batches: SourceBatch[] = [];
  const wanted = { client: "cline", path: place.folder, within: PROJECT, cwd: PROJECT };
  for await (const batch of readSessions({ ...place, ...wanted })) batches.push(batch);
  expect(batches).toMatchObject([{ kind: "cline", key: "1772355600000", place: PROJECT }]);
  expect(batches[0]?.passages.map(({ by, role, text }) => [by, role, text])).toEqual([
    ["user", "turn", "Cap the retries at seven"],
    ["assistant", "turn", "Settled: seven attempts."],
    ["assistant", "tool", "Changed src/retry.ts."],
  ]);
});
