import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  commandOutsideProjects,
  distrustProgramsIn,
  findProgram,
  programPath,
  runProgramSync,
  trustedPath,
} from "../../src/shared/programs.ts";
import { temporaryFolder } from "../support/memory-server.ts";

const SYSTEM = "/usr/local/bin:/usr/bin:/bin";

function project() {
  const root = temporaryFolder();
  const ran = join(root, "ran");
  const plant = (folder: string, name: string) => {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, name), `#!/bin/sh\necho x > ${ran}\n`, { mode: 0o755 });
    return join(root, folder);
  };
  return { root, ran, plant };
}

it("ignores programs inside a project, however PATH names them", () => {
  const { root, plant } = project();
  distrustProgramsIn(root);
  const bin = plant("bin", "sh");
  const outside = temporaryFolder();
  symlinkSync(join(bin, "sh"), join(outside, "sh"));
  symlinkSync(bin, join(outside, "folder"));
  for (const first of [bin, "", ".", "bin", outside, join(outside, "folder")]) {
    expect(findProgram("sh", `${first}:${SYSTEM}`)).toMatch(/^\/(usr\/)?bin\/\w+$/);
  }
  expect(trustedPath(`${bin}::.:bin:${join(outside, "folder")}:/usr/bin`)).toBe("/usr/bin");
});

it("ignores packages and virtual environments of projects that are not open", () => {
  const { root, plant } = project();
  const packages = plant("node_modules/.bin", "git");
  const python = plant(".venv/bin", "git");
  writeFileSync(join(root, ".venv/pyvenv.cfg"), "");
  for (const first of [packages, python]) {
    expect(findProgram("git", `${first}:${SYSTEM}`)).not.toContain(root);
  }
});

it("starts nothing if a program exists only in a project", () => {
  const { root, plant } = project();
  distrustProgramsIn(root);
  const bin = plant("bin", "only-here");
  expect(findProgram("only-here", bin)).toBeUndefined();
  expect(programPath("only-here", bin)).toBe("/nonexistent/only-here");
  const { error } = runProgramSync("only-here", [], { env: { PATH: bin } });
  expect(error).toMatchObject({ code: "ENOENT" });
});

it("passes on a PATH without project folders", () => {
  const { root, ran, plant } = project();
  distrustProgramsIn(root);
  const bin = plant("bin", "cat");
  const { stdout } = runProgramSync("sh", ["-c", "cat /dev/null; echo $PATH"], {
    encoding: "utf8",
    env: { PATH: `${bin}:/usr/bin` },
  });
  expect(stdout.trim()).toBe("/usr/bin");
  expect(readdirSync(root)).not.toContain(ran);
});

it("detects commands that a shell would resolve inside a project", () => {
  const { root, plant } = project();
  distrustProgramsIn(root);
  const bin = plant("bin", "ls");
  expect(commandOutsideProjects("ls", SYSTEM)).toMatch(/\/ls$/);
  expect(commandOutsideProjects("ls", `${bin}:${SYSTEM}`)).toBeUndefined();
  expect(commandOutsideProjects("ls", `:${SYSTEM}`)).toBeUndefined();
  chmodSync(join(bin, "ls"), 0o644);
  expect(commandOutsideProjects("ls", `${bin}:${SYSTEM}`)).toMatch(/\/ls$/);
});

it("is the only module that starts processes, and git is started with its safe options alone", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const starting = files.filter((file) => {
    // Plugin sources that `connect` writes are strings here.
    const text = readFileSync(join("src", file), "utf8").replaceAll(/`(?:[^`\\]|\\.)*`/gs, "``");
    return /(?:^import (?!type)[^;]*|import\(|require\()"(?:node:)?(?:child_process|cluster)"/m.test(
      text,
    );
  });
  expect(starting).toEqual(["shared/programs.ts"]);
  const git = files.filter((file) =>
    /\b(?:start|run)Program(?:Sync)?\(\s*"git"/.test(readFileSync(join("src", file), "utf8")),
  );
  expect(git).toEqual(["shared/safe-git.ts"]);
  const transports = files.filter((file) => {
    const text = readFileSync(join("src", file), "utf8");
    const [, options = ""] = /new StdioClientTransport\(\{([\s\S]*?)\}\)/.exec(text) ?? [];
    return /new StdioClientTransport/.test(text) && !/command: programPath\(/.test(options);
  });
  expect(transports).toEqual([]);
});
