import { describe, expect, it, test } from "vitest";
import { socketFilter } from "../../../src/agent/sandbox/socket-filter.ts";
import { findProgram } from "../../../src/shared/programs.ts";
import { findSandboxProblem, openSandboxBench } from "../support/sandbox-bench.ts";

const X86_64 = 0xc000003e;
const I386 = 0x40000003;
const ARM64 = 0xc00000b7;
const ARM = 0x40000028;
const ALLOWED = 0x7fff0000;

describe("the socket filter", () => {
  it.each([
    { name: "x64", audit: X86_64, foreign: I386, socket: 41, pair: 53 },
    { name: "arm64", audit: ARM64, foreign: ARM, socket: 198, pair: 199 },
  ])("permits four socket families on $name", ({ name, audit, foreign, socket, pair }) => {
    const run = (arch: number, call: number, family: number) =>
      evaluate(socketFilter(name) ?? Buffer.alloc(0), { arch, call, family }) === ALLOWED;
    const families = Array.from({ length: 64 }, (_, family) => family);
    expect(families.filter((family) => run(audit, socket, family))).toEqual([1, 2, 10, 16]);
    expect(families.filter((family) => run(audit, pair, family))).toEqual([1, 2, 10, 16]);
    expect(run(audit, 0, 40)).toBe(true);
    expect(run(audit, 425, 0)).toBe(false);
    expect(run(audit, 0x40000000 + socket, 2)).toBe(false);
    expect(run(foreign, 0, 2)).toBe(false);
  });

  it("is missing on an unknown architecture", () => {
    expect(socketFilter("riscv64")).toBeUndefined();
  });
});

const reason =
  (await findSandboxProblem()) ?? (findProgram("python3") === undefined ? "no python3" : undefined);

test.skipIf(reason !== undefined)(
  `a command in the sandbox opens sockets of the internet only: ${reason ?? ""}`,
  async () => {
    const { run } = await openSandboxBench();
    const families = "2, 10, 16, 1, 17, 29, 30, 31, 38, 40, 42";
    const output = await run(`python3 - 2>&1 <<'END'
import socket
for family in (${families}):
  try:
    socket.socket(family, socket.SOCK_DGRAM).close()
    print("opened", family)
  except OSError:
    pass
END`);
    expect(output).toBe("opened 2\nopened 10\nopened 16\n");
  },
);

interface Call {
  readonly arch: number;
  readonly call: number;
  readonly family: number;
}

/** Interprets the subset of BPF instructions that the filter uses. */
function evaluate(program: Buffer, { arch, call, family }: Call): number {
  const data = new Map([
    [0, call],
    [4, arch],
    [16, family],
  ]);
  let loaded = 0;
  for (let at = 0; at < program.length; at += 8) {
    const code = program.readUInt16LE(at);
    const value = program.readUInt32LE(at + 4);
    const jump = (isTrue: boolean) => program.readUInt8(at + (isTrue ? 2 : 3)) * 8;
    if (code === 0x06) return value;
    if (code === 0x20) loaded = data.get(value) ?? Number.NaN;
    else if (code === 0x15) at += jump(loaded === value);
    else if (code === 0x35) at += jump(loaded >= value);
    else throw new Error(`unexpected instruction ${code}`);
  }
  throw new Error("the program has no end");
}
