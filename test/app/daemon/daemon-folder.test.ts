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

it.each(["linux", "darwin", "win32"] as const)("is the data folder on %s", (platform) => {
  for (const env of ENVIRONMENTS) {
    const { defaultDataDir } = configPaths({ env, cwd: "/", platform });
    expect(daemonFolder(env, platform)).toBe(join(defaultDataDir, "daemon"));
  }
});

it("is the folder of the variable if the config is not needed", () => {
  expect(daemonFolder({ CAIRN_DATA_DIR: "/elsewhere" })).toBe("/elsewhere/daemon");
  expect(daemonFolder({ CAIRN_DATA_DIR: "~/elsewhere" })).toBeUndefined();
});

it("lists startup variables", () => {
  const one = { TZ: "UTC", PATH: "/bin", CAIRN_DB: "a", PGHOST: "x" };
  expect(hasOtherStartup(one, { ...one, PATH: "/usr/bin", CAIRN_DB: "b" })).toEqual([]);
  expect(hasOtherStartup(one, { PATH: "/bin", PGHOST: "y" })).toEqual(["TZ", "PGHOST"]);
});
