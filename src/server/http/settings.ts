import { z } from "zod";
import { withMeta, withTrust } from "../../shared/fields.ts";
import { LOG_FORMATS } from "../../shared/logger.ts";
import { DEFAULT_PORT } from "../../shared/package.ts";

const BYTES_PER_MEBIBYTE = 1024 * 1024;

const port = z.number().int().min(0).max(65_535);

const tlsFile = z.string().min(1).optional();

const quota = z.number().int().min(1).optional();

/** Valid Host header values: `name`, `name:port`, `[::1]`, `[::1]:port`. */
const HOST_PATTERN = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/;
/** An Origin as browsers send it, without path or wildcard. */
const ORIGIN_PATTERN = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s/*?#]*|null)$/;

export const httpSettings = withTrust(
  z.strictObject({
    host: z.string().min(1).default("127.0.0.1").describe("Address `cairn serve` listens on."),
    port: port.default(DEFAULT_PORT).describe("Port of `cairn serve`; 0 for any free port."),
    uiHost: z
      .string()
      .min(1)
      .default("127.0.0.1")
      .describe("Address `cairn ui-server` listens on."),
    uiPort: port.default(7434).describe("Port of `cairn ui-server`; 0 for any free port."),
    tlsCert: tlsFile.describe("Certificate, a PEM file: with `tlsKey`, `cairn serve` uses HTTPS."),
    tlsKey: tlsFile.describe("Its private key, a PEM file."),
    token: withMeta(
      z.string().regex(/^[\x21-\x7e]+$/, "A token is visible ASCII without spaces."),
      {
        secret: true,
      },
    )
      .optional()
      .describe(
        "Required in every request; mandatory if other machines can connect. `auto` generates one.",
      ),
    allowHost: z
      .array(
        z.string().regex(HOST_PATTERN, "A host must be a name or address, optionally with :port."),
      )
      .default([])
      .describe("Additional allowed Host headers."),
    allowOrigin: z
      .array(
        z.string().regex(ORIGIN_PATTERN, "An origin must be scheme://host[:port], without a path."),
      )
      .default([])
      .describe("Allowed web origins, exactly as browsers send them."),
    readOnly: z.boolean().default(false).describe("`cairn serve` rejects all writes."),
    logFormat: z
      .enum(LOG_FORMATS)
      .default("text")
      .describe("Log format on stderr: `text`, or `json` with one object per line."),
    logRequests: z
      .boolean()
      .default(false)
      .describe(
        "Log each request of `cairn serve` on stderr, and append it as a JSON line to `logs/requests.jsonl` in the data directory.",
      ),
    limits: z
      .strictObject({
        requestsPerMinute: quota.describe(
          "Maximum requests per minute to `cairn serve`, per token and user; further ones get 429.",
        ),
      })
      .prefault({}),
  }),
  {
    host: "trusted",
    port: "anyone",
    uiHost: "trusted",
    uiPort: "anyone",
    tlsCert: "trusted",
    tlsKey: "trusted",
    token: "trusted",
    allowHost: "trusted",
    allowOrigin: "trusted",
    readOnly: "anyone",
    logFormat: "anyone",
    logRequests: "anyone",
    limits: {
      requestsPerMinute: "trusted",
    },
  },
);

export interface TransferLimits {
  /** One request body. */
  readonly bodyBytes: number;
  /** One WebSocket message. */
  readonly frameBytes: number;
  /** Maximum queue of a slow WebSocket client. */
  readonly outboundBytes: number;
}

export const TRANSFER_LIMITS: TransferLimits = {
  bodyBytes: 8 * BYTES_PER_MEBIBYTE,
  frameBytes: BYTES_PER_MEBIBYTE,
  outboundBytes: 8 * BYTES_PER_MEBIBYTE,
};

export type HttpSettings = z.output<typeof httpSettings>;
