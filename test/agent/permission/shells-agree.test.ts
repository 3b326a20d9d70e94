// @module-tag long: runs each command in several shells.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { commandEffects } from "../../../src/agent/permission/command-effects.ts";
import { judgeCall } from "../../../src/agent/permission/judge-call.ts";
import { scaleRuns } from "../../support/scale-runs.ts";

const SHELLS = [["sh"], ["bash", "--posix"], ["bash"], ["busybox", "sh"]].filter(
  ([program = "", ...rest]) => spawnSync(program, [...rest, "-c", ":"]).status === 0,
);

/**
 * Payloads that run `./evil`, set `PATH` to the folder `0`, or end a here-document if a shell
 * parses them so.
 */
const payload = fc.constantFrom(
  ...["$(./evil)", "`./evil`", "a[$(./evil)]", "$((PATH=0))", "$[PATH=0]", "${x:=./evil}", "${!_}"],
  ...["$_", "${_@P}", "$((_))", "\\$(./evil)", "\\`./evil\\`", "'$(./evil)'", '"$(./evil)"', "$$"],
  ...["\\\n", "./evil", "$'\\n./evil\\n'", "E", "$E", "#", "up/secret", "{a,./evil}", "~", "\t"],
  ...["\\", "$", "$(", "))", ")", "}", "${_/x/$(./evil)}", "${ ./evil; }"],
);
const plain = fc.constantFrom("x", "a", "d", "'a b'", "-n", '""', "d/e", "up/secret", "e");
const word = fc.oneof(
  plain,
  payload,
  payload.map((text) => `"${text}"`),
  payload.map((text) => `'${text.replaceAll("'", "")}'`),
);
const redirection = fc.oneof(
  fc.constantFrom("", "", "", "<a", "< d", "2>&1", ">/dev/null", "3<a", "<&3", "<&-", "{PATH}<a"),
  word.map((text) => `<<<${text}`),
);
const PROGRAMS = ["cat", "echo", ":", "true", "ls", "test", "grep", "head", "wc", "cd d", "cd d/e"];
const simple = fc
  .tuple(fc.constantFrom(...PROGRAMS), fc.array(word, { maxLength: 2 }), redirection)
  .map(([program, words, last]) => [program, ...words, last].join(" "));
const delimiter = fc.constantFrom(
  ...["E", "'E'", "\\E", '"E"', "-E", "-'E'", " E", "'E F'", "$'E'", "$E", "E\\\n", "``E", "E$(x)"],
  ...['"E\\F"', "E;", "E#", "'E"],
);
const ends = fc.constantFrom("E", "E ", "$E", "E\\", "F", "E F", "\\E", "./evil", "EF", "\tE", "'");
const line = fc
  .tuple(ends, fc.oneof(fc.constantFrom("", "\\"), payload))
  .map((two) => two.join(""));
const text = fc
  .tuple(
    fc.constantFrom("cat", "true", ":", "echo"),
    delimiter,
    fc.constantFrom("", " && ls", "; ls", " | cat"),
    fc.array(line, { minLength: 1, maxLength: 4 }),
    fc.constantFrom("E", "E", "\tE", "$E", ""),
    fc.constantFrom("./evil", "ls", ""),
  )
  .map(([program, end, after, lines, last, then]) =>
    [`${program} <<${end}${after}`, ...lines, last, then].join("\n"),
  );
const { statement } = fc.letrec<{ statement: string }>((tie) => ({
  statement: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 3, arbitrary: simple },
    { weight: 2, arbitrary: text },
    ...[
      ([a, , w]: readonly string[]) => `case ${w} in *) ${a};; esac`,
      ([a, b]: readonly string[]) => `if ${a}; then ${b}; fi`,
      ([a, b]: readonly string[]) => `while ${a} && cd d; do ${b}; done`,
      ([a, b, , p]: readonly string[]) => `if ${a}; then ${b}; fi <<E\n${p}\nE`,
      ([a, , , p]: readonly string[]) => `echo '${p?.replaceAll("'", "")}'; ${a}`,
      ([a, b, , p]: readonly string[]) => `${a} # ${p}\n${b}`,
      ([a]: readonly string[]) => `bash -c '${a?.replaceAll("'", "'\\''")}'`,
      ([a, b]: readonly string[]) => `(${a}); time ${b}`,
    ].map((put) => ({
      weight: 1,
      arbitrary: fc.tuple(tie("statement"), tie("statement"), word, payload).map(put),
    })),
  ),
}));
const command = fc
  .array(fc.tuple(statement, fc.constantFrom("; ", "\n", " && ", " || ", " | ", " & ")), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.flat().slice(0, -1).join(""));

/** Creates a project whose programs leave a marker file, next to a secret. */
function createProject() {
  const home = mkdtempSync(join(homedir(), ".cairn-shells-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const project = join(home, "p");
  for (const folder of ["p/0", "p/d/e"]) mkdirSync(join(home, folder), { recursive: true });
  const [mark, evil] = [join(home, "ran"), `#!/bin/sh\n: > ${join(home, "ran")}\n`];
  for (const name of ["evil", "0/cat", "0/ls", "0/grep", "0/head", "0/wc"]) {
    writeFileSync(join(project, name), evil, { mode: 0o755 });
  }
  writeFileSync(join(project, "a"), "./evil\n$(./evil)\n");
  writeFileSync(join(home, "secret"), "SECRET\n");
  symlinkSync("../..", join(project, "d/up"));
  return { home, project, mark };
}

it("read-only commands run no project program, write nothing and read no secret in any shell", async () => {
  const { home, project, mark } = createProject();
  const names = readdirSync(project).join();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(command, async (prompt) => {
      const effects = await commandEffects(prompt, {
        ...{ mode: "plan", tool: "shell", projectRoot: project },
        isConfined: false,
        isStoredInGit: async () => false,
        isOfSystem: async (program) => !program.includes("/"),
        isHarmlessRepository: async () => true,
      });
      if (judgeCall(effects, []).action !== "allow") return;
      run += 1;
      for (const [program = "", ...options] of SHELLS) {
        const { stdout } = spawnSync(program, [...options, "-c", prompt], {
          ...{ cwd: project, env: { PATH: process.env.PATH, HOME: home } },
          ...{ timeout: 700, killSignal: "SIGKILL", maxBuffer: 65_536, encoding: "utf8" },
          stdio: ["ignore", "pipe", "ignore"],
        });
        const found = [existsSync(mark), readdirSync(project).join(), stdout.includes("SECRET")];
        rmSync(mark, { force: true });
        expect(found, `${program} ${options.join(" ")}`).toEqual([false, names, false]);
      }
    }),
    { numRuns: scaleRuns(500) },
  );
  // Guards against a vacuous property: some commands must have run.
  expect(run).toBeGreaterThan(scaleRuns(500) / 200);
}, 720_000);
