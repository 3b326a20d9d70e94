import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeCopy } from "../../../src/agent/copies/make-copy.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { createFakeFlow } from "../support/fake-flow.ts";
import { createTestProject } from "../support/project.ts";

async function inCopy(replies: readonly string[]) {
  const project = await createTestProject();
  await project.write("pay.ts", "retries = 3\n");
  const dataDir = `${project.projectRoot}-data`;
  onTestFinished(() => rmSync(`${dataDir}-copies`, { recursive: true, force: true }));
  const wish = { project: project.projectRoot, dataDir, name: "try", clock: systemClock };
  const copy = await makeCopy(wish);
  writeFileSync(join(copy.tree, "pay.ts"), "retries = 5\n");
  writeFileSync(join(copy.tree, "new.ts"), "new\n");
  return { project, copy, flow: createFakeFlow({ project, copy, replies }) };
}

it("/copy says what this is and what was changed; in the project itself how to get one", async () => {
  const { project, flow } = await inCopy([]);
  await flow.type("/copy");
  expect(flow.said[0]).toContain(`This is "try", a copy of ${project.projectRoot}`);
  expect(flow.said[0]).toContain("  added new.ts\n  changed pay.ts");
  const plain = createFakeFlow({ project });
  await plain.type("/copy");
  expect(plain.said[0]).toContain("This is the project itself");
  await plain.type("/merge");
  expect(plain.said.at(-1)).toMatch(/^error: .*cairn --copy/);
});

it("/merge shows the difference, leaves out what is named, and takes over the rest", async () => {
  const { project, copy, flow } = await inCopy(["new.ts", "y"]);
  await flow.type("/merge");
  expect(flow.said[0]).toContain("-retries = 3\n+retries = 5");
  expect(flow.said[1]).toContain("  writes new.ts\n  writes pay.ts");
  expect(flow.said[2]).toContain("  writes pay.ts\n  leaves out new.ts");
  expect(flow.said[3]).toBe(
    `success: Took over 1 file into ${project.projectRoot}; nothing is committed.`,
  );
  expect(readFileSync(join(project.projectRoot, "pay.ts"), "utf8")).toBe("retries = 5\n");
  expect(existsSync(join(project.projectRoot, "new.ts"))).toBe(false);
  expect(existsSync(join(copy.tree, "new.ts"))).toBe(true);
});

it("/merge takes over nothing that the person did not say yes to, and nothing in a conflict", async () => {
  const refused = await inCopy(["n"]);
  await refused.flow.type("/merge");
  expect(refused.flow.said.at(-1)).toBe("info: Nothing was taken over.");
  const { project, flow } = await inCopy(["y"]);
  await project.write("pay.ts", "retries = 4\n");
  await flow.type("/merge");
  expect(flow.said.at(-2)).toContain("conflict pay.ts");
  expect(flow.said.at(-1)).toMatch(/^error: [\s\S]*the same lines were changed in both/);
  expect(existsSync(join(project.projectRoot, "new.ts"))).toBe(false);
});
