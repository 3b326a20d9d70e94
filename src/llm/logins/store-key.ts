import { existsSync } from "node:fs";
import { z } from "zod";
import { readLogins, writeLogins } from "../../shared/login-file.ts";
import { startProgram } from "../../shared/programs.ts";

const storedKeySchema = z.union([
  z.strictObject({ key: z.string().min(1) }),
  z.strictObject({ command: z.array(z.string()).min(1) }),
]);

const file = z.record(z.string(), storedKeySchema);

type StoredKey = z.output<typeof storedKeySchema>;

export class StoredKeys {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get(service: string): StoredKey | undefined {
    return this.#read()[service];
  }

  put(service: string, key: StoredKey): void {
    this.#write({ ...this.#read(), [service]: key });
  }

  remove(service: string): void {
    const { [service]: _gone, ...others } = this.#read();
    this.#write(others);
  }

  get services(): readonly string[] {
    return Object.keys(this.#read());
  }

  #read(): Readonly<Record<string, StoredKey>> {
    return readLogins(this.path, file) ?? {};
  }

  #write(all: Readonly<Record<string, StoredKey>>): void {
    writeLogins(this.path, all);
  }
}

export const STORED_KEYS_FILE = "keys.json";

/** Returns the setting for a key stored by `cairn login`, if any. */
export function loadStoredKey(
  file: string,
  service: string,
): { readonly apiKey?: string; readonly apiKeyCommand?: string } {
  if (!existsSync(file)) return {};
  const stored = new StoredKeys(file).get(service);
  if (stored === undefined) return {};
  return "key" in stored ? { apiKey: stored.key } : { apiKeyCommand: stored.command.join(" ") };
}

interface Keyring {
  readonly name: string;
  /** Command whose first output line is the key. */
  readonly lookUp: readonly string[];
  readonly store: { readonly command: readonly string[]; readonly input: (key: string) => string };
  readonly remove: readonly string[];
}

const KEYRING_SERVICE = "cairn";

/** Uses system commands; keys are passed by stdin, since arguments are visible to other users. */
export function openSystemKeyring(
  account: string,
  platform: NodeJS.Platform = process.platform,
): Keyring | undefined {
  if (platform === "linux") {
    const named = ["service", KEYRING_SERVICE, "account", account];
    return {
      name: "the session keyring",
      lookUp: ["secret-tool", "lookup", ...named],
      store: {
        command: ["secret-tool", "store", "--label", `cairn: ${account}`, ...named],
        input: (key) => key,
      },
      remove: ["secret-tool", "clear", ...named],
    };
  }
  if (platform === "darwin") {
    const named = ["-s", KEYRING_SERVICE, "-a", account];
    return {
      name: "the macOS keychain",
      lookUp: ["security", "find-generic-password", ...named, "-w"],
      store: {
        command: ["security", "-i"],
        input: (key) => `add-generic-password -U ${named.join(" ")} -w "${key}"\n`,
      },
      remove: ["security", "delete-generic-password", ...named],
    };
  }
  return undefined;
}

const TIMEOUT_MS = 60_000;

function readOutput(
  [program = "", ...args]: readonly string[],
  input = "",
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = startProgram(program, args, {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: TIMEOUT_MS,
    });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    child.once("error", () => resolve(undefined));
    child.once("close", (code) => resolve(code === 0 ? printed : undefined));
    child.stdin.on("error", () => undefined).end(input);
  });
}

/** Stores a key and verifies it by reading it back; false on failure. */
async function storeInKeyring(keyring: Keyring, key: string): Promise<boolean> {
  if (/["\\\n\r]/.test(key)) return false;
  const result = await readOutput(keyring.store.command, keyring.store.input(key));
  if (result === undefined) return false;
  return (await readOutput(keyring.lookUp))?.trim() === key;
}

export async function storeKey(
  keys: StoredKeys,
  { service, key, withKeyring }: { service: string; key: string; withKeyring: boolean },
): Promise<string> {
  const keyring = withKeyring ? openSystemKeyring(service) : undefined;
  if (keyring !== undefined && (await storeInKeyring(keyring, key))) {
    keys.put(service, { command: [...keyring.lookUp] });
    return keyring.name;
  }
  keys.put(service, { key });
  return `${keys.path}, readable only by you`;
}

/** Returns false if no key is stored. */
export async function forgetKey(keys: StoredKeys, service: string): Promise<boolean> {
  const stored = keys.get(service);
  if (stored === undefined) return false;
  if ("command" in stored) await readOutput(openSystemKeyring(service)?.remove ?? []);
  keys.remove(service);
  return true;
}
