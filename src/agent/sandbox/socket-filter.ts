import { endianness } from "node:os";

/** Numbers of Linux' seccomp interface, per architecture of Node. */
const ARCHITECTURES: Readonly<
  Record<string, { readonly audit: number; readonly socket: number; readonly socketPair: number }>
> = {
  x64: { audit: 0xc000003e, socket: 41, socketPair: 53 },
  arm64: { audit: 0xc00000b7, socket: 198, socketPair: 199 },
};

/**
 * The sandbox library refuses Unix sockets to commands, but needs them itself to reach its proxy.
 * Netlink describes the command's own network namespace; `ip` and the resolver of libc use it.
 */
const FAMILIES = { unix: 1, inet: 2, inet6: 10, netlink: 16 };

/** Creates sockets too, without the calls that are checked here. */
const IO_URING_SETUP = 425;
const X32_CALLS = 0x40000000;

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER_OR_EQUAL = 0x35;
const RETURN = 0x06;

/** Offsets in the kernel's `seccomp_data`; the first argument is little endian. */
const CALL = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

const ALLOW = 0x7fff0000;
const FAIL = 0x00050000;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

interface Line {
  readonly code: number;
  readonly value: number;
  /** Labels; undefined: the next line. */
  readonly match?: Label;
  readonly otherwise?: Label;
  readonly label?: Label;
}

type Label = "unsupported" | "unknown" | "allowed" | "family";

/**
 * Returns a seccomp program for bubblewrap that permits sockets of the internet only, and refuses
 * system calls of other architectures. Undefined on architectures that are not known.
 */
export function socketFilter(architecture: string = process.arch): Buffer | undefined {
  const numbers = ARCHITECTURES[architecture];
  if (numbers === undefined || endianness() !== "LE") return undefined;
  return assemble([
    { code: LOAD, value: ARCHITECTURE },
    { code: JUMP_EQUAL, value: numbers.audit, otherwise: "unknown" },
    { code: LOAD, value: CALL },
    { code: JUMP_GREATER_OR_EQUAL, value: X32_CALLS, match: "unknown" },
    { code: JUMP_EQUAL, value: IO_URING_SETUP, match: "unknown" },
    { code: JUMP_EQUAL, value: numbers.socket, match: "family" },
    { code: JUMP_EQUAL, value: numbers.socketPair, otherwise: "allowed" },
    { label: "family", code: LOAD, value: FIRST_ARGUMENT },
    ...Object.values(FAMILIES).map(
      (value) => ({ code: JUMP_EQUAL, value, match: "allowed" }) as const,
    ),
    { label: "unsupported", code: RETURN, value: FAIL | EAFNOSUPPORT },
    { label: "unknown", code: RETURN, value: FAIL | ENOSYS },
    { label: "allowed", code: RETURN, value: ALLOW },
  ]);
}

/** Encodes lines as the kernel's `sock_filter`. */
function assemble(lines: readonly Line[]): Buffer {
  const program = Buffer.alloc(lines.length * 8);
  lines.forEach(({ code, value, match, otherwise }, at) => {
    const distance = (label: Label | undefined) =>
      label === undefined ? 0 : lines.findIndex((line) => line.label === label) - at - 1;
    program.writeUInt16LE(code, at * 8);
    program.writeUInt8(distance(match), at * 8 + 2);
    program.writeUInt8(distance(otherwise), at * 8 + 3);
    program.writeUInt32LE(value >>> 0, at * 8 + 4);
  });
  return program;
}
