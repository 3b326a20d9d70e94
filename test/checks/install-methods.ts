import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

export interface InstallMethod {
  readonly name: string;
  readonly node?: number;
  readonly command: (location: Place) => readonly string[];
  readonly program?: string;
  /** The SQLite driver is unavailable, which must be reported in one line. */
  readonly lacksDriver?: true;
}

interface Place {
  readonly folder: string;
  readonly tarball: string;
}

const QUIET = ["--no-audit", "--no-fund"];

export const INSTALL_METHODS: readonly InstallMethod[] = [
  {
    name: "npm10",
    command: ({ tarball }) => ["npx", "--yes", "npm@10", "install", ...QUIET, tarball],
  },
  {
    name: "npm11",
    command: ({ tarball }) => ["npx", "--yes", "npm@11", "install", ...QUIET, tarball],
  },
  {
    name: "pnpm",
    command: ({ tarball }) => [
      "npx",
      "--yes",
      "pnpm@10",
      "add",
      "--allow-build=better-sqlite3",
      tarball,
    ],
  },
  {
    name: "global",
    command: ({ folder, tarball }) => [
      "npm",
      "install",
      "--global",
      "--prefix",
      join(folder, "prefix"),
      ...QUIET,
      tarball,
    ],
    program: "prefix/bin/cairn",
  },
  {
    name: "ignore-scripts",
    command: ({ tarball }) => ["npm", "install", "--ignore-scripts", ...QUIET, tarball],
    lacksDriver: true,
  },
  { name: "node22", node: 22, command: ({ tarball }) => ["npm", "install", ...QUIET, tarball] },
  { name: "node24", node: 24, command: ({ tarball }) => ["npm", "install", ...QUIET, tarball] },
];

export async function tryInstallMethods(
  tarball: string,
  root: string,
  ways: readonly InstallMethod[],
): Promise<void> {
  mkdirSync(root);
  for (const way of ways) {
    const folder = join(root, `by ${way.name}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    const env = environmentOf(way, join(root, `${way.name}-itself`));
    const [command = "", ...args] = way.command({ folder, tarball });
    execFileSync(command, args, { cwd: folder, env, stdio: ["ignore", "ignore", 2] });
    const program = join(folder, way.program ?? "node_modules/.bin/cairn");
    const cairn = (...words: string[]) => {
      const own = { PATH: env.PATH, HOME: folder, CAIRN_DB: "default", CAIRN_DAEMON: "off" };
      return spawnSync(program, words, { cwd: folder, env: own, encoding: "utf8" });
    };
    const { stderr, status } = cairn("remember", "We deploy on Tuesdays.");
    const found = cairn("recall", "when is the release shipped out?");
    const holds =
      way.lacksDriver === true
        ? status === 1 && stderr.trim().split("\n").length === 1 && /better-sqlite3/.test(stderr)
        : found.stdout.includes("We deploy on Tuesdays") && found.stderr === "";
    if (!holds) throw new Error(`${way.name}: ${stderr}${found.stdout}${found.stderr}`);
    console.log(`${way.name}: ${way.lacksDriver === true ? stderr.trim() : "found by meaning"}`);
  }
}

/** Puts another Node.js version first on the PATH and provides its headers for native builds. */
function environmentOf({ node }: InstallMethod, folder: string): NodeJS.ProcessEnv {
  if (node === undefined) return process.env;
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  execFileSync("npm", ["install", ...QUIET, `node@${node}`], {
    cwd: folder,
    stdio: ["ignore", "ignore", 2],
  });
  const packed = join("node_modules", `node-${process.platform}-${process.arch}`);
  const installed = [join(folder, packed), join(folder, "node_modules/node", packed)].find((at) =>
    existsSync(join(at, "include/node")),
  );
  if (installed === undefined) throw new Error(`Node.js ${node} came without its headers.`);
  return {
    ...process.env,
    PATH: `${join(installed, "bin")}${delimiter}${process.env.PATH ?? ""}`,
    npm_config_nodedir: installed,
  };
}
