import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../shared/errors.ts";
import { makeFolder } from "../shared/files.ts";

/** Value of `token` that generates a random token. */
const AUTOMATIC_NAME = "auto";
const TOKEN_BYTES = 32;

export interface OwnToken {
  readonly token: string | undefined;
  /** File of a generated token. */
  readonly file: string | undefined;
}

/**
 * Returns the configured token; for `auto`, generates one once in a file readable only by the user.
 * Throws forbidden if others can read or could have created the file.
 */
export async function ownToken(
  value: string | undefined,
  location: { readonly dataDir: string; readonly server: string },
): Promise<OwnToken> {
  if (value !== AUTOMATIC_NAME) return { token: value, file: undefined };
  const folder = join(location.dataDir, "tokens");
  const file = join(folder, location.server);
  makeFolder(folder);
  const token = (await storeNewToken(file)) ?? (await readStored(file));
  return { token, file };
}

async function storeNewToken(path: string): Promise<string | undefined> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  // `wx` does not follow existing links.
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    await file.writeFile(`${token}\n`);
    return token;
  } finally {
    await file.close();
  }
}

async function readStored(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const info = await file.stat();
    const isOurs = info.uid === (process.getuid?.() ?? info.uid) && (info.mode & 0o077) === 0;
    const token = info.isFile() && info.size < 1024 ? (await file.readFile("utf8")).trim() : "";
    if (isOurs && /^[\w-]{43}$/.test(token)) return token;
  } finally {
    await file.close();
  }
  throw new CairnError(
    "forbidden",
    `${path} must contain a token and be readable by you only. Delete it; a new one is created.`,
  );
}
