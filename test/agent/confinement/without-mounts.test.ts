import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { helperPath, weaknessesOf } from "../../../src/agent/confinement/own-helper.ts";
import { packageRoot } from "../../../src/shared/package.ts";

/** In it no namespace can be made: as where the system forbids that to users, and in most containers. */
const SHUT =
  "echo 0 > /proc/sys/user/max_user_namespaces && echo 0 > /proc/sys/user/max_mnt_namespaces && exec ";
const helper = helperPath() ?? "";
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/proc"];

function isThere(...words: readonly string[]): boolean {
  const [program = "", ...rest] = words;
  return spawnSync(program, rest, { stdio: "ignore" }).status === 0;
}

const canShut = helper !== "" && isThere("unshare", "-Ur", "sh", "-c", `${SHUT} true`);

function place() {
  const folder = mkdtempSync(join(homedir(), ".cairn-helper-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, ".git/config"), "mine\n");
  writeFileSync(join(folder, "secret"), "sekret\n");
  const rulesFor = (records: readonly string[]) => {
    const rules = join(folder, "rules");
    const all = [...SYSTEM.map((path) => `r${path}`), "d/dev/null", `w${project}`, ...records];
    writeFileSync(rules, all.map((record) => `${record}\0`).join(""));
    return rules;
  };
  const run = (command: string, records: readonly string[] = []) => {
    const words = [helper, "--run", rulesFor(records), "--", "/bin/bash", "-c", command];
    const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    const { status, stdout, stderr } = spawnSync("unshare", ["-Ur", "sh", "-c", SHUT + quoted], {
      ...{ cwd: project, encoding: "utf8", timeout: 60_000, input: "" },
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: project },
    });
    return { status, output: stdout + stderr };
  };
  return { folder, project, rulesFor, run };
}

it.skipIf(!canShut)("says that it may not mount, and what is weaker then", () => {
  const told = execFileSync("unshare", ["-Ur", "sh", "-c", `${SHUT}${helper} --probe`], {
    encoding: "utf8",
  });
  expect(told).toContain("namespaces 0\n");
  expect(weaknessesOf({ path: helper, landlock: 7, namespaces: false })).toEqual([
    "what git and editors act upon in the project can be changed",
  ]);
});

it.skipIf(!canShut)(
  "without mounts still keeps files, sockets, the network and other programs from a command",
  () => {
    const { folder, project, run } = place();
    const python = (text: string) => `python3 -c '${text}' 2>&1 || echo kept`;
    const { output } = run(
      [
        `cat ${folder}/secret; ls ${folder}; echo x > ${folder}/made; mv ${folder}/secret away`,
        `ln -s ${folder}/secret link; cat link; ln ${folder}/secret hard; cat hard`,
        `chmod 777 ${folder}/secret; rm -rf ${folder}/secret`,
        python("import socket; socket.socket(socket.AF_UNIX); print(1, 2, sep=chr(33))"),
        python(
          "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM); print(1, 2, sep=chr(33))",
        ),
        python(
          `import socket; socket.create_connection(("127.0.0.1", 22), 2); print(1, 2, sep=chr(33))`,
        ),
        "unshare -Ur true && echo made a namespace; mount -t tmpfs x . && echo mounted",
        "cat /proc/1/environ /proc/$PPID/environ; echo ended",
      ].join("\n"),
    );
    expect(output).not.toContain("sekret");
    expect(output).not.toContain("1!2");
    expect(output).not.toMatch(/made a namespace|mounted/);
    expect(output).toContain("ended");
    expect(readFileSync(join(folder, "secret"), "utf8")).toBe("sekret\n");
    expect(existsSync(join(folder, "made"))).toBe(false);
    expect(existsSync(project)).toBe(true);
  },
);

it.skipIf(!canShut)(
  "without mounts cannot keep what git acts upon, and runs nothing where that is demanded",
  () => {
    const { project, run } = place();
    expect(run("echo changed > .git/config; echo ran").output).toBe("ran\n");
    expect(readFileSync(join(project, ".git/config"), "utf8")).toBe("changed\n");
    const demanded = run("echo ran", ["N", `m${project}/.git`, `g${project}/.git/config`]);
    expect(demanded.output).not.toMatch(/^ran/m);
    expect(demanded.status).toBe(125);
  },
);

it.skipIf(process.arch === "arm64" || !isThere("qemu-aarch64-static", "--version"))(
  "for arm64 starts, and runs nothing where the kernel does not confine",
  () => {
    const { rulesFor } = place();
    const arm = join(packageRoot(), "native/confine/linux-arm64/confine");
    const run = (...words: readonly string[]) =>
      spawnSync("qemu-aarch64-static", [arm, ...words], { encoding: "utf8" });
    // The emulator knows none of the calls by which files are confined.
    expect(run("--probe").stdout).toMatch(/^landlock -1\n/);
    const { status, stdout, stderr } = run(
      "--run",
      rulesFor([]),
      "--",
      "/bin/sh",
      "-c",
      "echo ran",
    );
    expect({ status, stdout }).toEqual({ status: 125, stdout: "" });
    expect(stderr).toContain("cairn's helper runs nothing");
  },
);
