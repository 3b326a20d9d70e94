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
const ADDRESS_FAMILIES = { unix: 1, inet: 2, inet6: 10, netlink: 16 };

/** Creates sockets too, without the calls that are checked here. */
const IO_URING_SETUP_CALL = 425;
const X32_CALL_BIT = 0x40000000;

const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER_OR_EQUAL = 0x35;
const RETURN = 0x06;

/** Offsets in the kernel's `seccomp_data`; the first argument is little endian. */
const CALL_OFFSET = 0;
const ARCHITECTURE_OFFSET = 4;
const FIRST_ARGUMENT_OFFSET = 16;

const ALLOW_ACTION = 0x7fff0000;
const FAIL_ACTION = 0x00050000;
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
    { code: LOAD_WORD, value: ARCHITECTURE_OFFSET },
    { code: JUMP_EQUAL, value: numbers.audit, otherwise: "unknown" },
    { code: LOAD_WORD, value: CALL_OFFSET },
    { code: JUMP_GREATER_OR_EQUAL, value: X32_CALL_BIT, match: "unknown" },
    { code: JUMP_EQUAL, value: IO_URING_SETUP_CALL, match: "unknown" },
    { code: JUMP_EQUAL, value: numbers.socket, match: "family" },
    { code: JUMP_EQUAL, value: numbers.socketPair, otherwise: "allowed" },
    { label: "family", code: LOAD_WORD, value: FIRST_ARGUMENT_OFFSET },
    ...Object.values(ADDRESS_FAMILIES).map(
      (value) => ({ code: JUMP_EQUAL, value, match: "allowed" }) as const,
    ),
    { label: "unsupported", code: RETURN, value: FAIL_ACTION | EAFNOSUPPORT },
    { label: "unknown", code: RETURN, value: FAIL_ACTION | ENOSYS },
    { label: "allowed", code: RETURN, value: ALLOW_ACTION },
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
