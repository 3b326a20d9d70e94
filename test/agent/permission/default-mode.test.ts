import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import {
  ChosenMode,
  containsHome,
  defaultMode,
  realRoot,
} from "../../../src/agent/permission/chosen-mode.ts";

const home = realRoot(homedir());

it("is ask in the home folder and its parents, also for servers, with or without a sandbox", () => {
  for (const projectRoot of [home, dirname(home), "/"]) {
    expect(containsHome(projectRoot)).toBe(true);
    for (const isConfined of [true, false]) {
      for (const runsWithoutApproval of [true, false]) {
        expect(defaultMode({ projectRoot, isConfined, runsWithoutApproval })).toBe("ask");
      }
    }
  }
});

it("is auto in a sandboxed project and on a server without clients that answer prompts", () => {
  const projectRoot = join(home, "work/project");
  expect(defaultMode({ projectRoot, isConfined: true, runsWithoutApproval: false })).toBe("auto");
  expect(defaultMode({ projectRoot, isConfined: false, runsWithoutApproval: true })).toBe("auto");
  expect(defaultMode({ projectRoot, isConfined: false, runsWithoutApproval: false })).toBe("ask");
});

it.each([
  { isConfined: false, mode: undefined, after: "ask" },
  { isConfined: true, mode: undefined, after: "auto" },
  { isConfined: false, mode: "edits", after: "edits" },
] as const)(
  "is $after on a server once a client answers prompts: $mode, confined: $isConfined",
  ({ isConfined, mode, after }) => {
    const chosen = new ChosenMode({
      projectRoot: join(home, "work/project"),
      mode,
      isServer: true,
    });
    chosen.settle(isConfined);
    expect(chosen.current).toBe(mode ?? "auto");
    chosen.noteAnswerer();
    expect(chosen.current).toBe(after);
  },
);

it("keeps the mode that the user chose when a client begins to answer prompts", () => {
  const projectRoot = join(home, "work/project");
  const chosen = new ChosenMode({ projectRoot, mode: undefined, isServer: true });
  chosen.settle(false);
  chosen.set("auto");
  chosen.noteAnswerer();
  expect(chosen.current).toBe("auto");
});
