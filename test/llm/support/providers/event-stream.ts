import { crc32 } from "node:zlib";

/** Bytes of both checksums and both lengths of a frame. */
const AROUND = 16;
const PRELUDE = 12;
const TEXT = 7;

/**
 * Encodes a frame of AWS's event stream (application/vnd.amazon.eventstream): lengths, headers and
 * payload, with a checksum after the lengths and one at the end.
 */
export function frame(name: string, payload: object, kind: "event" | "exception" = "event") {
  const headers = Buffer.concat([
    header(":message-type", kind),
    header(`:${kind}-type`, name),
    header(":content-type", "application/json"),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const bytes = Buffer.alloc(AROUND + headers.length + body.length);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.writeUInt32BE(headers.length, 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
  headers.copy(bytes, PRELUDE);
  body.copy(bytes, PRELUDE + headers.length);
  const end = bytes.length - 4;
  bytes.writeUInt32BE(crc32(bytes.subarray(0, end)), end);
  return bytes;
}

function header(name: string, value: string): Buffer {
  const bytes = Buffer.alloc(4 + name.length + value.length);
  bytes.writeUInt8(name.length, 0);
  bytes.write(name, 1);
  bytes.writeUInt8(TEXT, 1 + name.length);
  bytes.writeUInt16BE(value.length, 2 + name.length);
  bytes.write(value, 4 + name.length);
  return bytes;
}
