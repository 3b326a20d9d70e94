import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { lacksDescriptors } from "./errors.ts";

/** Whether process and machine can open so many more files at this moment. */
export function hasRoomForFiles(count: number): boolean {
  const opened: number[] = [];
  try {
    for (let n = 0; n < count; n += 1) opened.push(openSync(devNull, "r"));
    return true;
  } catch (error) {
    if (lacksDescriptors(error)) return false;
    throw error;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
