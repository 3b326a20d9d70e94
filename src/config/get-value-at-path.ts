import { isPlainObject } from "../shared/json.ts";

export function getValueAtPath(settings: unknown, key: string): unknown {
  let value = settings;
  for (const name of key.split(".")) {
    if (!isPlainObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}
