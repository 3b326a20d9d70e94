import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isProgram } from "../../shared/programs.ts";
import type { Client, ClientLocations } from "../index.ts";

export function findInstalled(locations: ClientLocations, client: Client): string | undefined {
  for (const program of client.programs) {
    const path = findProgram(locations, program);
    if (path !== undefined) return path;
  }
  return client.traces(locations).find((trace) => existsSync(trace));
}

function findProgram({ env, platform }: ClientLocations, name: string): string | undefined {
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter((folder) => folder !== "");
  const endings = platform === "win32" ? (env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";") : [""];
  return folders
    .flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)))
    .find(isProgram);
}
