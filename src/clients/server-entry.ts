import { isPlainObject } from "../shared/json.ts";
import type { ServerCommand } from "./client.ts";

/** `{command, args, env}`, the form that most clients share; `env` only where there is something. */
export function usualEntry({ command, args, env }: ServerCommand): Record<string, unknown> {
  return { command, args: [...args], ...(Object.keys(env).length > 0 && { env: { ...env } }) };
}

export function readUsualEntry(entry: unknown): ServerCommand | undefined {
  if (!isPlainObject(entry) || typeof entry.command !== "string") return undefined;
  return { command: entry.command, args: texts(entry.args), env: textMap(entry.env) };
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

export function textMap(value: unknown): Record<string, string> {
  if (!isPlainObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) =>
      typeof text === "string" ? [[key, text] as const] : [],
    ),
  );
}
