import { existsSync, rmSync, writeFileSync } from "node:fs";

/** A file beside the database that is there while a purge is under way. */
export function erasingMark(path: string) {
  const mark = `${path}.purging`;
  return {
    set: () => writeFileSync(mark, "", { mode: 0o600 }),
    isSet: () => path !== ":memory:" && existsSync(mark),
    remove: () => rmSync(mark, { force: true }),
  };
}
