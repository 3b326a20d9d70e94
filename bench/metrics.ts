/**
 * Prints the size of the code, counted by fixed rules so that figures are comparable over time:
 * `npm run metrics`, or `npm run metrics -- --longest 30` to list the longest files and functions
 * too.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";
import { topLevel } from "../src/cli/cli-command.ts";
import { commands } from "../src/cli/commands/index.ts";
import { OPERATION_SUMMARIES } from "../src/cli/operation-summaries.ts";
import { settingDefinitions } from "../src/config/setting-definitions.ts";
import { FILTER_NAMES, FILTERS, type FilterName } from "../src/memory/filters/filter-table.ts";
import { createOperations } from "../src/memory/operations/registry.ts";
import { getRoutes } from "../src/server/rest/index.ts";
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
const files = ["src", "test"].flatMap((folder) => sourcesIn(join(root, folder)).map(readLength));
const source = files.filter(({ path }) => path.startsWith("src/"));
const functions = source.flatMap(({ path }) => functionsOf(path));
const long = functions.filter(({ lines }) => lines > LONG_FUNCTION);
const operations = [...createOperations().values()];
// An operation of `defineOperation` counts as one; all forms that `createFormFunctions`, `defineList`,
// `defineRecord` or `defineUpdate` derive from one operation count as one together.
const acts = new Set(operations.map(({ name, formOf }) => formOf ?? name));
const withForms = new Set(operations.flatMap(({ formOf }) => formOf ?? []));

print("lines of src", total(source));
print("lines of src and test", total(files));
print("files of src", source.length);
print("files of src and test", files.length);
print("median file of src", quantile(lengths(source), 0.5));
print("90 % of src have at most", quantile(lengths(source), 0.9));
print(`files of src over ${LONG_FILE} lines`, source.filter((one) => one.lines > LONG_FILE).length);
print("functions of src, median", quantile(lengths(functions), 0.5));
print(`functions of src over ${LONG_FUNCTION} lines`, long.length);
print(`of these in src/web`, long.filter(({ path }) => path.startsWith("src/web/")).length);
print("operations", acts.size);
print("of these reached in several forms", withForms.size);
print("names by which they are called", operations.length);
for (const name of ["recall", "items", "timeline", "snapshot", "changes", "events", "suggest"]) {
  const shape = operations.find((operation) => operation.name === name)?.input.shape ?? {};
  const meant = FILTER_NAMES.filter((filter) => name !== "recall" || isMeantInRecall(filter));
  const taken = meant.filter((filter) => filter in shape).length;
  print(`filters of ${name}`, `${taken} of ${meant.length}`);
}
print(
  "comment lines of src",
  source.reduce((sum, { path }) => sum + commentLines(path), 0),
);
for (const folder of ["src", "test"]) printFolders(folder);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
print("dependencies", Object.keys(manifest.dependencies).length);
print("development dependencies", Object.keys(manifest.devDependencies).length);
print("settings", settingDefinitions().length);
print("commands in the help", topLevel([...commands, ...OPERATION_SUMMARIES]).length);
print(
  "commands of two words",
  [...commands, ...OPERATION_SUMMARIES].filter(({ name }) => name.includes(" ")).length,
);
print(
  "MCP tools",
  operations.filter(({ mcp }) => mcp !== undefined && mcp.interfaces !== false).length,
);
print("REST routes", getRoutes(createOperations()).length + STORE_ROUTES.length);
for (const { path, lines } of longestOf(source)) print(path, lines);
for (const { path, name, lines } of longestOf(functions)) print(`${path} ${name}`, lines);

/** Prints lines and files of each folder. */
function printFolders(top: string): void {
  const folders = new Map<string, SourceFile[]>();
  for (const file of files.filter(({ path }) => path.startsWith(`${top}/`))) {
    const folder = file.path.split("/").slice(0, 2).join("/");
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  for (const [folder, inside] of [...folders].sort()) {
    print(folder, `${total(inside)} lines in ${inside.length} files`);
  }
}

function commentLines(path: string): number {
  const text = readFileSync(join(root, path), "utf8").split("\n");
  return text.filter((line) => /^\s*(\/\/|\/?\*)/.test(line)).length;
}

function isMeantInRecall(name: FilterName): boolean {
  return FILTERS[name].inRecall !== "meaningless";
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(folder, path));
}

function readLength(path: string): SourceFile {
  const text = readFileSync(path, "utf8");
  return { path: path.slice(root.length + 1), lines: text.split("\n").length - 1 };
}

function functionsOf(path: string): FunctionLength[] {
  const text = readFileSync(join(root, path), "utf8");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: FunctionLength[] = [];
  const lineAt = (at: number) => file.getLineAndCharacterOfPosition(at).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const lines = lineAt(node.end) - lineAt(node.getStart(file)) + 1;
      found.push({ path, name: nameOf(node), lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function nameOf(node: ts.SignatureDeclaration): string {
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

function total(list: readonly SourceFile[]): number {
  return list.reduce((sum, { lines }) => sum + lines, 0);
}

function longestOf<One extends { readonly lines: number }>(list: readonly One[]): One[] {
  return [...list].sort((a, b) => b.lines - a.lines).slice(0, longest);
}

function print(what: string, figure: number | string): void {
  process.stdout.write(`${what.padEnd(60)} ${figure}\n`);
}
