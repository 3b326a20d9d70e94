import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findOwnHelper } from "../../../src/agent/confinement/own-helper.ts";
import { packageRoot } from "../../../src/shared/package.ts";

const found = process.platform === "linux" ? await findOwnHelper() : "only Linux has it";
const helper = typeof found === "string" ? undefined : found;
const why = typeof found === "string" ? `: ${found}` : "";
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/proc", "/opt"];

interface Run {
  readonly records?: readonly string[];
  readonly command: string;
}

function place() {
  const folder = mkdtempSync(join(homedir(), ".cairn-helper-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(folder, "secret"), "secret\n", { mode: 0o600 });
  const run = ({ records = [], command }: Run) => {
    const rules = join(folder, "rules");
    const all = [...SYSTEM.map((path) => `r${path}`), "d/dev/null", `w${project}`, ...records];
    writeFileSync(rules, all.map((record) => `${record}\0`).join(""));
    const words = ["--run", rules, "--", "/bin/bash", "-c", command];
    const { status, stdout, stderr } = spawnSync(helper?.path ?? "", words, {
      ...{ cwd: project, encoding: "utf8", timeout: 60_000, input: "" },
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: project },
    });
    return { status, output: stdout + stderr, rulesAreLeft: existsSync(rules) };
  };
  return { folder, project, run };
}

it("is made of the source beside it, for each kind of machine", () => {
  const folder = join(packageRoot(), "native/confine");
  const source = readFileSync(join(folder, "confine.c"));
  const hash = createHash("sha256").update(source).digest("hex").slice(0, 16);
  for (const machine of ["linux-x64", "linux-arm64"]) {
    expect(readFileSync(join(folder, machine, "confine")).includes(hash), machine).toBe(true);
  }
});

/** A call of the system by its number on this machine, as Python makes it. */
const SYSCALLS = process.arch === "x64" ? "x64" : "arm64";
const NUMBERS = {
  ptrace: { x64: 101, arm64: 117 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  kcmp: { x64: 312, arm64: 272 },
  mount: { x64: 165, arm64: 40 },
  umount2: { x64: 166, arm64: 39 },
  pivot_root: { x64: 155, arm64: 41 },
  chroot: { x64: 161, arm64: 51 },
  move_mount: { x64: 429, arm64: 429 },
  fsopen: { x64: 430, arm64: 430 },
  open_tree: { x64: 428, arm64: 428 },
  unshare: { x64: 272, arm64: 97 },
  setns: { x64: 308, arm64: 268 },
  keyctl: { x64: 250, arm64: 219 },
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  bpf: { x64: 321, arm64: 280 },
  perf_event_open: { x64: 298, arm64: 241 },
  userfaultfd: { x64: 323, arm64: 282 },
  io_uring_setup: { x64: 425, arm64: 425 },
  init_module: { x64: 175, arm64: 105 },
  kexec_load: { x64: 246, arm64: 104 },
  reboot: { x64: 169, arm64: 142 },
  swapon: { x64: 167, arm64: 224 },
  settimeofday: { x64: 164, arm64: 170 },
  sethostname: { x64: 170, arm64: 161 },
  open_by_handle_at: { x64: 304, arm64: 265 },
  fanotify_init: { x64: 300, arm64: 262 },
} as const;

describe.skipIf(helper === undefined)(`cairn's own helper${why}`, () => {
  it("forbids calls that change the machine or look into other programs", () => {
    const { run } = place();
    const table = Object.entries(NUMBERS).map(([name, at]) => `('${name}',${at[SYSCALLS]})`);
    const script =
      "import ctypes;l=ctypes.CDLL(None,use_errno=True)\n" +
      `for name,number in (${table.join(",")}):\n` +
      "  ctypes.set_errno(0); r=l.syscall(number,0,0,0,0,0); print(name,r,ctypes.get_errno())";
    const { output } = run({ command: `/usr/bin/python3 -c "${script}"` });
    const expected = Object.keys(NUMBERS).map((name) => `${name} -1 1`);
    expect(output.trim().split("\n")).toEqual(expected);
  });

  it("makes no sockets but streams of the internet, and those reach nothing that is not its own", async () => {
    const { run } = place();
    const server = createServer((socket) => socket.end("from outside"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const script = [
      "import socket",
      "for f,t,p in ((1,1,0),(1,2,0),(2,2,0),(2,3,0),(2,1,262),(10,2,0),(16,3,15),(17,3,0),(40,1,0),(38,5,0)):",
      "  try: socket.socket(f,t,p); print('made',f,t)",
      "  except OSError as e: print(e.errno)",
      "s=socket.socket(); s.bind(('',0)); s.listen(); here=s.getsockname(); print(here[0])",
      "socket.create_connection(here,5); print('own server reached')",
      "def tries(where):",
      "  try: print('reached', socket.create_connection(where,3).recv(20))",
      "  except OSError as e: print('not reached')",
      `tries(('1.1.1.1',443)); tries(('127.0.0.1',${port})); tries(('::ffff:127.0.0.1',${port}))`,
      "u=socket.socket()",
      `try: u.sendto(b'x',0x20000000,('127.0.0.1',${port})); print('opened by sending')`,
      "except OSError as e: print(e.errno)",
    ].join("\n");
    const shut = run({ command: `/usr/bin/python3 -c "${script}"` }).output;
    expect(shut).not.toMatch(/made|from outside|opened by/);
    expect(shut).toContain("127.0.0.1\nown server reached\n");
    expect(shut.match(/not reached/g)).toHaveLength(3);
    expect(shut.trim().endsWith("\n1")).toBe(true);
  });

  it("opens the port that a rule names", async () => {
    const { run } = place();
    const listening = await import("node:child_process").then(({ spawn }) =>
      spawn(process.execPath, [
        "-e",
        "require('net').createServer((s)=>s.end('from outside')).listen(0,'127.0.0.1',function(){console.log(this.address().port)})",
      ]),
    );
    onTestFinished(() => void listening.kill());
    const port = await new Promise<string>((resolve) =>
      listening.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim())),
    );
    const command = `cat < /dev/tcp/127.0.0.1/${port}`;
    expect(run({ command, records: [`p${port}`] }).output).toBe("from outside");
    expect(run({ command }).output).toContain("Connection refused");
  });

  it("reads and writes what it was given, and changes rights, owners and times of nothing else", () => {
    const { run, folder } = place();
    const { output, rulesAreLeft } = run({
      command: [
        "cat ../secret; ls ..; ls /root; echo x > ../new; echo x > /etc/x; ln ../secret s; ln -s ../secret l",
        "cat l; chmod 777 ../secret; chmod 777 l; chown 1 ../secret; touch -d 2001-01-01 ../secret; touch l",
        "truncate -s 0 ../secret; mv ../secret here; rm ../secret; mkdir d; chmod 700 d; touch -d 2001-01-01 d",
        "stat -c '%a %Y' d; exec 9< /etc/hostname; chmod 777 /proc/self/fd/9; chmod 777 /dev/fd/9",
      ].join("\n"),
    });
    expect(output).not.toMatch(/^secret/m);
    expect(readFileSync(join(folder, "secret"), "utf8")).toBe("secret\n");
    const [rights] = execFileSync("stat", ["-c", "%a %Y", join(folder, "secret")], {
      encoding: "utf8",
    }).split(" ");
    expect(rights).toBe("600");
    expect(existsSync(join(folder, "new"))).toBe(false);
    expect(output).toContain("700 978307200");
    expect(rulesAreLeft).toBe(false);
  });

  it("does not signal what is not its own, and ends what it left", () => {
    const { run, project } = place();
    const { output } = run({
      command: `kill -0 ${process.pid} && touch signalled; kill -0 1 && touch signalled; (sleep 77; touch late) & setsid -f sleep 78; echo started`,
    });
    expect(output).toContain("started");
    expect(existsSync(join(project, "signalled"))).toBe(false);
    expect(output).toMatch(/left running: .*sleep 7/);
    expect(spawnSync("pgrep", ["-fx", "sleep 7[78]"], { encoding: "utf8" }).stdout).toBe("");
    expect(existsSync(join(project, "late"))).toBe(false);
  });

  it("hands the exit code and signals on, and stdin, and takes away rights of root", () => {
    const { run } = place();
    expect(run({ command: "exit 7" }).status).toBe(7);
    expect(run({ command: "kill -9 $$" }).status).toBe(137);
    const { output } = run({ command: "grep -E 'NoNewPrivs|Seccomp:|CapEff' /proc/self/status" });
    expect(output).toMatch(/NoNewPrivs:\t1/);
    expect(output).toMatch(/Seccomp:\t2/);
    expect(output).toMatch(/CapEff:\t00000000000000(ff|00)/);
  });

  it("keeps what is guarded, and folders above it from being renamed, where it may mount", (context) => {
    if (helper?.namespaces !== true) context.skip("this user may not mount");
    const { run, project } = place();
    mkdirSync(join(project, ".git"));
    writeFileSync(join(project, ".git/config"), "mine\n");
    const { output } = run({
      records: ["N", `m${project}/.git`, `g${project}/.git/config`],
      command:
        "echo evil > .git/config; mv .git away; rm -rf .git; chmod 777 .git/config; echo ok > .git/HEAD; cat .git/HEAD",
    });
    expect(readFileSync(join(project, ".git/config"), "utf8")).toBe("mine\n");
    expect(output).toContain("Read-only file system");
    expect(output).toContain("ok\n");
  });

  it("runs nothing where its rules cannot be applied", () => {
    const { run, folder, project } = place();
    const missing = run({
      records: ["N", `t${folder}/nowhere`, `T${tmpdir()}`],
      command: "touch ran",
    });
    const unknown = run({ records: ["x"], command: "touch ran" });
    for (const { status, output } of [missing, unknown]) {
      expect(status).toBe(125);
      expect(output).toContain("cairn's helper runs nothing");
    }
    expect(existsSync(join(project, "ran"))).toBe(false);
  });
});
