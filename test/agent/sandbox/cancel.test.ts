// @module-tag long: one sandbox per case.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { waitFixedTime } from "../../support/wait-fixed-time.ts";
import { findSandboxProblem, openSandboxBench } from "../support/sandbox-bench.ts";

const reason = await findSandboxProblem();

describe.skipIf(reason !== undefined)(`a cancel in the sandbox${reason ?? ""}`, () => {
  it("lets a command clean up before its namespace ends", async () => {
    const { processes, project } = await openSandboxBench();
    const started = await processes.start(
      "trap 'sleep 0.3; echo gone > cleaned; exit 0' TERM; touch ready; while :; do sleep 0.05; done",
    );
    await expect.poll(() => existsSync(join(project, "ready")), { timeout: 30_000 }).toBe(true);
    await started.kill();
    expect(existsSync(join(project, "cleaned"))).toBe(true);
  });

  it("kills a process that ignores signals, left its session or dropped its environment", async () => {
    const { processes, project } = await openSandboxBench();
    const started = await processes.start(
      "env -i setsid sh -c 'trap \"\" TERM; while :; do touch alive; sleep 0.05; done' & " +
        "trap '' TERM; touch ready; while :; do sleep 0.05; done",
    );
    await expect.poll(() => existsSync(join(project, "ready")), { timeout: 30_000 }).toBe(true);
    await started.kill();
    expect(started.state.phase).toBe("ended");
    const { rm } = await import("node:fs/promises");
    await rm(join(project, "alive"), { force: true });
    await waitFixedTime(300, "no event may follow");
    expect(existsSync(join(project, "alive"))).toBe(false);
  });
});
