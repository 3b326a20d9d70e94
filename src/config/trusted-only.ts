import type { SettingLayer } from "./setting-layer.ts";

/**
 * Settings by which a project that somebody else wrote could run commands, send keys or
 * conversations elsewhere, or open this machine's servers to others.
 */
const TRUSTED_ONLY: Readonly<Record<string, (value: unknown) => boolean>> = {
  baseUrl: always,
  apiKey: always,
  "embedding.baseUrl": always,
  "embedding.apiKey": always,
  "hooks.stop": always,
  "hooks.taskDone": always,
  "hooks.planDone": always,
  sandbox: (value) => value === false,
  allowOutsideProject: (value) => value === true,
  dataDir: always,
  host: always,
  uiHost: always,
  token: always,
  allowHost: always,
  allowOrigin: always,
};

/** Keys of the layer that count only in a trusted project. */
export function trustedOnlyKeys(layer: SettingLayer): readonly string[] {
  return [...layer].flatMap(([key, { value }]) => (TRUSTED_ONLY[key]?.(value) ? [key] : []));
}

/** Whether the setting, or some values of it, count only in a trusted project. */
export function needsTrust(key: string): boolean {
  return Object.hasOwn(TRUSTED_ONLY, key);
}

function always(): boolean {
  return true;
}
