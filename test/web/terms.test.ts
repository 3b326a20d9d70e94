import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../src/web");

/** Paraphrases, each with the term that the CLI, REST and MCP use for it. */
const PARAPHRASES: readonly [RegExp, term: string][] = [
  [/\bbring(s|ing)? in\b|\bbrought in\b|\bcame in\b/i, "import"],
  [/\b(take|takes|took|taken) back\b/i, "undo"],
  [/\bdo not keep\b|\bnot kept\b|\bkeep it\b/i, "reject, accept"],
  [/\bboth hold\b/i, "keep both"],
  [/\bsettled?\b/i, "resolve"],
  [/\bretired?\b/i, "remove"],
  [/\bthe bin\b/i, "trash"],
  [/\banew\b/i, "rebuild, reindex"],
  [/\bdoes not answer\b/i, "unreachable"],
  [/\basked for\b/i, "query, limit"],
];

function textsOf(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node)) texts.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => /\s/.test(text));
}

describe("texts of the page", () => {
  const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );

  it("use the terms of the CLI, REST and MCP", () => {
    const found = files.flatMap((file) =>
      textsOf(file).flatMap((text) =>
        PARAPHRASES.filter(([form]) => form.test(text)).map(
          ([, term]) => `${file}: write ${term} in “${text.slice(0, 160)}”`,
        ),
      ),
    );
    expect(found).toEqual([]);
  });
});
