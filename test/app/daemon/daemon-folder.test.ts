import { join } from "node:path";
import { expect, it } from "vitest";
import { daemonFolder, hasOtherStartup } from "../../../src/app/daemon/daemon-folder.ts";
import { configPaths } from "../../../src/config/index.ts";

const ENVIRONMENTS = [
  { HOME: "/home/ada" },
  { HOME: "/home/ada", XDG_DATA_HOME: "/data" },
  { HOME: "/home/ada", XDG_DATA_HOME: "relative" },
  { USERPROFILE: "C:\\Users\\ada", LOCALAPPDATA: "" },
  { USERPROFILE: "C:\\Users\\ada", LOCALAPPDATA: "C:\\Local" },
];

it.each(["linux", "darwin", "win32"] as const)("lies in the data folder on %s", (platform) => {
  for (const env of ENVIRONMENTS) {
    const { defaultDataDir } = configPaths({ env, cwd: "/", platform });
    expect(daemonFolder(env, platform)).toBe(join(defaultDataDir, "daemon"));
  }
});

it("lies in the folder that the variable names, where that is known without the config", () => {
  expect(daemonFolder({ CAIRN_DATA_DIR: "/elsewhere" })).toBe("/elsewhere/daemon");
  expect(daemonFolder({ CAIRN_DATA_DIR: "~/elsewhere" })).toBeUndefined();
});

it("tells what a process took from its environment when it began", () => {
  const one = { TZ: "UTC", PATH: "/bin", CAIRN_DB: "a", PGHOST: "x" };
  expect(hasOtherStartup(one, { ...one, PATH: "/usr/bin", CAIRN_DB: "b" })).toEqual([]);
  expect(hasOtherStartup(one, { PATH: "/bin", PGHOST: "y" })).toEqual(["TZ", "PGHOST"]);
});
