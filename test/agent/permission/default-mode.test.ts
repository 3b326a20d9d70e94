import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { defaultMode, holdsHome, realRoot } from "../../../src/agent/permission/chosen-mode.ts";

const home = realRoot(homedir());

it("asks in the home folder and in what it lies in, of servers too, sandbox or not", () => {
  for (const projectRoot of [home, dirname(home), "/"]) {
    expect(holdsHome(projectRoot)).toBe(true);
    for (const isConfined of [true, false]) {
      for (const isServer of [true, false]) {
        expect(defaultMode({ projectRoot, isConfined, isServer })).toBe("ask");
      }
    }
  }
});

it("is auto in a project where something confines, and of a server", () => {
  const projectRoot = join(home, "work/project");
  expect(defaultMode({ projectRoot, isConfined: true, isServer: false })).toBe("auto");
  expect(defaultMode({ projectRoot, isConfined: false, isServer: true })).toBe("auto");
  expect(defaultMode({ projectRoot, isConfined: false, isServer: false })).toBe("ask");
});
