import { createHash, randomBytes } from "node:crypto";

/** Tags of answers that change with the feed only. Another start of the server gives other tags. */
export class EntityTags {
  readonly #salt = randomBytes(8).toString("base64url");

  /** Weak: the same content may be compressed or not. */
  tag(of: { database: string; seq: number; url: string; version?: number | undefined }): string {
    const path = of.url.replace(/^[a-z]+:\/\/[^/]*/, "");
    const digest = createHash("sha1")
      .update(JSON.stringify([this.#salt, of.database, of.seq, path]))
      .digest("base64url");
    // The version of one item, which `If-Match` reads.
    return `W/"${digest}${of.version === undefined ? "" : `-v${of.version}`}"`;
  }
}

/** Whether a client that sends `If-None-Match: header` has the answer already. */
export function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = tag.replace(/^W\//, "");
  return header.split(",").some((given) => {
    const text = given.trim();
    return text === "*" || text.replace(/^W\//, "") === opaque;
  });
}
