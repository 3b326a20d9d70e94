import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { invalidInput } from "../shared/errors.ts";
import { isPlainObject, JsonSyntaxError, parseJson } from "../shared/json.ts";

/** Writes settings to a project's config file. `force` preserves a file's other settings. */
export async function writeProjectConfig(
  file: string,
  settings: Readonly<Record<string, unknown>>,
  force: boolean,
): Promise<"written" | "exists"> {
  const exists = existsSync(file);
  if (exists && !force) return "exists";
  const content = exists ? { ...readJsonObject(file), ...settings } : settings;
  mkdirSync(dirname(file), { recursive: true });
  await writeFileAtomic(file, `${JSON.stringify(content, null, 2)}\n`);
  return "written";
}

function readJsonObject(file: string): Record<string, unknown> {
  try {
    const content = parseJson(readFileSync(file, "utf8"));
    if (isPlainObject(content)) return content;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalidInput(`${file}: ${error.message}. Correct the file or remove it.`);
  }
  throw invalidInput(`${file}: the config is one JSON object. Correct the file or remove it.`);
}
