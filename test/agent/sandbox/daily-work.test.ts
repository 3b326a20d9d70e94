// @module-tag long: builds in a sandbox.
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { patiently } from "../../support/patiently.ts";
import { openSandboxBench, whyNoSandbox } from "../support/sandbox-bench.ts";

const reason = await whyNoSandbox();
const isInstalled = (program: string) =>
  spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

const FILES: Readonly<Record<string, string>> = {
  "go/go.mod": "module example.org/x\n\ngo 1.20\n",
  "go/main.go": 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("made by go") }\n',
  "go/main_test.go": 'package main\n\nimport "testing"\n\nfunc TestMain1(t *testing.T) {}\n',
  "npm/package.json": '{"name":"x","version":"1.0.0","scripts":{"test":"node -e 1"}}',
  "npm/dep/package.json": '{"name":"dep","version":"1.0.0"}',
  "pip/setup.py": "raise SystemExit('not run')\n",
  "cargo/Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n',
  "cargo/src/main.rs": 'fn main() { println!("made by cargo"); }\n\n#[test]\nfn works() {}\n',
  "make/Makefile": "all: x.o\nx.o: x.c\n\tcc -c x.c\n",
  "make/x.c": "int main(void) { return 0; }\n",
  "cmake/CMakeLists.txt":
    "cmake_minimum_required(VERSION 3.10)\nproject(x C)\nenable_testing()\nadd_executable(x x.c)\nadd_test(NAME x COMMAND x)\n",
  "cmake/x.c": "int main(void) { return 0; }\n",
  "mvn/pom.xml":
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version><packaging>pom</packaging></project>',
};

async function writeFiles(project: string): Promise<void> {
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(project, name)), { recursive: true });
    await writeFile(join(project, name), text);
  }
}

const WHEEL = [
  "import zipfile",
  "z = zipfile.ZipFile('dep-1.0-py3-none-any.whl', 'w')",
  "z.writestr('dep.py', 'x = 1')",
  "z.writestr('dep-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: dep\\nVersion: 1.0\\n')",
  "z.writestr('dep-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')",
  "z.writestr('dep-1.0.dist-info/RECORD', '')",
  "z.close()",
].join("\n");

const TOOLCHAINS = {
  go: "export GOTOOLCHAIN=local; go build -o x . && go vet . && go test ./... && go run .",
  npm: "npm pack ./dep --silent && npm install ./dep-1.0.0.tgz --no-audit --no-fund && npm test",
  pip: `python3 -c "${WHEEL.replaceAll("\n", "; ")}" && python3 -m venv .venv && .venv/bin/pip install -q --no-index ./dep-1.0-py3-none-any.whl && .venv/bin/python -c "import dep"`,
  cargo: "cargo build --offline && cargo test --offline && cargo run --offline",
  make: "make",
  cmake: "cmake -B build . && cmake --build build && ctest --test-dir build",
  mvn: "mvn -o -q validate",
};

describe("in the sandbox", () => {
  for (const [program, command] of Object.entries(TOOLCHAINS)) {
    test.skipIf(reason !== undefined || !isInstalled(program))(
      `${program} builds, tests and installs, and writes no cache of the user's`,
      async () => {
        const bench = await openSandboxBench({ prepare: writeFiles });
        const output = await bench.run(`cd ${program} && ${command} && echo "all is $((40+2))"`);
        expect(output).toContain("all is 42");
        expect(output).not.toMatch(/read-only file system|EROFS/i);
      },
      patiently(240_000),
    );
  }
});
