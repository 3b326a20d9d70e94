/**
 * Prints the size of the code, counted by fixed rules so that figures are comparable over time:
 * `npm run metrics`, or `npm run metrics -- --longest 30` to list the longest files and functions
 * too.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";
import { listTopLevel } from "../src/cli/cli-command.ts";
import { commands } from "../src/cli/commands/index.ts";
import { OPERATION_SUMMARIES } from "../src/cli/operation-summaries.ts";
import { settingDefinitions } from "../src/config/setting-definitions.ts";
import { FILTER_NAMES, FILTERS, type FilterName } from "../src/memory/filters/filter-table.ts";
import { createOperations } from "../src/memory/operations/registry.ts";
import { createRoutes } from "../src/server/rest/index.ts";
import { STORE_ROUTES } from "../src/server/rest/store-routes/registry.ts";
import { packageRoot } from "../src/shared/package.ts";

const LONG_FUNCTION = 80;
const LONG_FILE = 250;

interface SourceFile {
  readonly path: string;
  readonly lines: number;
}

interface FunctionLength {
  readonly path: string;
  readonly name: string;
  readonly lines: number;
}

const options = { longest: { type: "string", default: "0" } } as const;
const longest = Number(parseArgs({ options }).values.longest);
const root = packageRoot();
const files = ["src", "test"].flatMap((folder) => listSources(join(root, folder)).map(readLength));
const source = files.filter(({ path }) => path.startsWith("src/"));
const functions = source.flatMap(({ path }) => listFunctions(path));
const long = functions.filter(({ lines }) => lines > LONG_FUNCTION);
const operations = [...createOperations().values()];
// An operation of `defineOperation` counts as one; all forms that `createFormFunctions`, `defineList`,
// `defineRecord` or `defineUpdate` derive from one operation count as one together.
const acts = new Set(operations.map(({ name, formOf }) => formOf ?? name));
const withForms = new Set(operations.flatMap(({ formOf }) => formOf ?? []));

printFigure("lines of src", sumLines(source));
printFigure("lines of src and test", sumLines(files));
printFigure("files of src", source.length);
printFigure("files of src and test", files.length);
printFigure("median file of src", quantile(lengths(source), 0.5));
printFigure("90 % of src have at most", quantile(lengths(source), 0.9));
printFigure(
  `files of src over ${LONG_FILE} lines`,
  source.filter((one) => one.lines > LONG_FILE).length,
);
printFigure("functions of src, median", quantile(lengths(functions), 0.5));
printFigure(`functions of src over ${LONG_FUNCTION} lines`, long.length);
printFigure(`of these in src/web`, long.filter(({ path }) => path.startsWith("src/web/")).length);
printFigure("operations", acts.size);
printFigure("of these reached in several forms", withForms.size);
printFigure("names by which they are called", operations.length);
for (const name of ["recall", "items", "timeline", "snapshot", "changes", "events", "suggest"]) {
  const shape = operations.find((operation) => operation.name === name)?.input.shape ?? {};
  const meant = FILTER_NAMES.filter((filter) => name !== "recall" || isMeantInRecall(filter));
  const taken = meant.filter((filter) => filter in shape).length;
  printFigure(`filters of ${name}`, `${taken} of ${meant.length}`);
}
printFigure(
  "comment lines of src",
  source.reduce((sum, { path }) => sum + countCommentLines(path), 0),
);
for (const folder of ["src", "test"]) printFolders(folder);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
printFigure("dependencies", Object.keys(manifest.dependencies).length);
printFigure("development dependencies", Object.keys(manifest.devDependencies).length);
printFigure("settings", settingDefinitions().length);
printFigure("commands in the help", listTopLevel([...commands, ...OPERATION_SUMMARIES]).length);
printFigure(
  "commands of two words",
  [...commands, ...OPERATION_SUMMARIES].filter(({ name }) => name.includes(" ")).length,
);
printFigure(
  "MCP tools",
  operations.filter(({ mcp }) => mcp !== undefined && mcp.interfaces !== false).length,
);
printFigure("REST routes", createRoutes(createOperations()).length + STORE_ROUTES.length);
for (const { path, lines } of longestOf(source)) printFigure(path, lines);
for (const { path, name, lines } of longestOf(functions)) printFigure(`${path} ${name}`, lines);

/** Prints lines and files of each folder. */
function printFolders(top: string): void {
  const folders = new Map<string, SourceFile[]>();
  for (const file of files.filter(({ path }) => path.startsWith(`${top}/`))) {
    const folder = file.path.split("/").slice(0, 2).join("/");
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  for (const [folder, inside] of [...folders].sort()) {
    printFigure(folder, `${sumLines(inside)} lines in ${inside.length} files`);
  }
}

function countCommentLines(path: string): number {
  const text = readFileSync(join(root, path), "utf8").split("\n");
  return text.filter((line) => /^\s*(\/\/|\/?\*)/.test(line)).length;
}

function isMeantInRecall(name: FilterName): boolean {
  return FILTERS[name].inRecall !== "meaningless";
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(folder, path));
}

function readLength(path: string): SourceFile {
  const text = readFileSync(path, "utf8");
  return { path: path.slice(root.length + 1), lines: text.split("\n").length - 1 };
}

function listFunctions(path: string): FunctionLength[] {
  const text = readFileSync(join(root, path), "utf8");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: FunctionLength[] = [];
  const lineAt = (at: number) => file.getLineAndCharacterOfPosition(at).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const lines = lineAt(node.end) - lineAt(node.getStart(file)) + 1;
      found.push({ path, name: getName(node), lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function getName(node: ts.SignatureDeclaration): string {
  if (node.name !== undefined) return node.name.getText();
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
    ? parent.name.getText()
    : "(without a name)";
}

function lengths(list: readonly { readonly lines: number }[]): number[] {
  return list.map(({ lines }) => lines).sort((a, b) => a - b);
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
}

function sumLines(list: readonly SourceFile[]): number {
  return list.reduce((sum, { lines }) => sum + lines, 0);
}

function longestOf<One extends { readonly lines: number }>(list: readonly One[]): One[] {
  return [...list].sort((a, b) => b.lines - a.lines).slice(0, longest);
}

function printFigure(what: string, figure: number | string): void {
  process.stdout.write(`${what.padEnd(60)} ${figure}\n`);
}
