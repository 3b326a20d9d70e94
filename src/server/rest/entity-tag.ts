import { createHash, randomBytes } from "node:crypto";

/** Tags of answers that only change with the feed. After a restart the server uses other tags. */
export class EntityTags {
  readonly #salt = randomBytes(8).toString("base64url");

  /** Weak, since the same content may be sent compressed or not. */
  tag(of: { database: string; seq: number; url: string; version?: number | undefined }): string {
    const path = of.url.replace(/^[a-z]+:\/\/[^/]*/, "");
    const digest = createHash("sha1")
      .update(JSON.stringify([this.#salt, of.database, of.seq, path]))
      .digest("base64url");
    // The version of one item, which `If-Match` reads.
    return `W/"${digest}${of.version === undefined ? "" : `-v${of.version}`}"`;
  }
}

/** True if a client that sends `If-None-Match: header` already has the answer. */
export function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = tag.replace(/^W\//, "");
  return header.split(",").some((given) => {
    const text = given.trim();
    return text === "*" || text.replace(/^W\//, "") === opaque;
  });
}
