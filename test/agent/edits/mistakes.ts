import { hashLine, hashline } from "../../../src/agent/edits/hash-line.ts";

export interface Mistake {
  readonly name: string;
  readonly mode: "hashline" | "searchReplace";
  readonly file: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Content after the corrected call, or the expected error. */
  readonly outcome: { readonly file: string } | { readonly refusal: RegExp };
}

const CODE = [
  "def area(a, b):",
  "    x = a",
  "    y = b",
  "    return x * y",
  "",
  "def main():",
  "    print(area(2, 3))",
  "",
].join("\n");

const NESTED = [
  "export function load(path) {",
  "  if (path) {",
  "    return read(path);",
  "  }",
  "  return undefined;",
  "}",
  "",
].join("\n");

function at(text: string, number: number): string {
  return `${number}:${hashLine(text.split(/\r?\n/)[number - 1] ?? "")}`;
}

function crLf(text: string): string {
  return text.replaceAll("\n", "\r\n");
}

type Edit = Readonly<Record<string, unknown>>;

function hashlineCase(
  name: string,
  file: string,
  call: { readonly edits: unknown } & Pick<Mistake, "outcome"> & { readonly path?: string },
): Mistake {
  const { edits, outcome } = call;
  return { name, mode: "hashline", file, input: { path: "file", edits }, outcome };
}

function searchCase(
  name: string,
  file: string,
  [old_text, new_text, outcome, more = {}]: readonly [
    string,
    string,
    Mistake["outcome"],
    Readonly<Record<string, unknown>>?,
  ],
): Mistake {
  const input = { path: "file", old_text, new_text, ...more };
  return { name, mode: "searchReplace", file, input, outcome };
}

const applied = (file: string) => ({ file });
const refused = (refusal: RegExp) => ({ refusal });
const withLine = (text: string, number: number, line: string) =>
  text
    .split("\n")
    .map((old, index) => (index === number - 1 ? line : old))
    .join("\n");

const edit2 = (more: Edit): Edit => ({ start: at(CODE, 2), ...more });
const CHANGED_2 = withLine(CODE, 2, "    x = 2 * a");

const ANCHORS: readonly Mistake[] = [
  hashlineCase("content with the old anchor", CODE, {
    edits: [edit2({ content: `${at(CODE, 2)}|    x = 2 * a` })],
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("content with an invented hash", CODE, {
    edits: [edit2({ content: "2:beef|    x = 2 * a" })],
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("several lines, all with anchors", CODE, {
    edits: [edit2({ end: at(CODE, 3), content: "2:abcd|    x = 2 * a\n3:beef|    y = b" })],
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("anchors and a blank line without one", CODE, {
    edits: [edit2({ end: at(CODE, 3), content: "2:abcd|    x = 2 * a\n\n3:beef|    y = b\n" })],
    outcome: applied(CHANGED_2.replace("a\n    y", "a\n\n    y")),
  }),
  hashlineCase("line numbers and tabs before each line", CODE, {
    edits: [edit2({ end: at(CODE, 3), content: "     2\t    x = 2 * a\n     3\t    y = b" })],
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("line numbers and bars before each line", CODE, {
    edits: [edit2({ content: "2|    x = 2 * a" })],
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("an inserted line that is numbered", CODE, {
    edits: [edit2({ insert: "after", content: "3:0000|    z = 0" })],
    outcome: applied(CODE.replace("    y", "    z = 0\n    y")),
  }),
  hashlineCase("some lines with anchors, some without", CODE, {
    edits: [edit2({ content: `${at(CODE, 2)}|    x = 2 * a\n    z = 0` })],
    outcome: refused(/contains a line anchor.*without LINE:HASH/),
  }),
  hashlineCase("data that looks like line numbers is data", "1\tann\n2\tbob\n", {
    edits: [{ start: at("1\tann\n2\tbob\n", 2), insert: "after", content: "3\tcarl" }],
    outcome: applied("1\tann\n2\tbob\n3\tcarl\n"),
  }),
  hashlineCase("a numbered list is text", "# Steps\n\n", {
    edits: [{ start: at("# Steps\n\n", 2), insert: "after", content: "1. look\n2. change" }],
    outcome: applied("# Steps\n\n1. look\n2. change\n"),
  }),
  hashlineCase("a file about anchors keeps its anchors", "1:abcd|x\n2:beef|y\n", {
    edits: [{ start: at("1:abcd|x\n2:beef|y\n", 1), content: "1:abcd|z" }],
    outcome: applied("1:abcd|z\n2:beef|y\n"),
  }),
  hashlineCase("an anchor with the text of its line", CODE, {
    edits: [{ start: hashline("    x = a", 2), content: "    x = 2 * a" }],
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("an anchor with the text in place of the hash", CODE, {
    edits: [{ start: "2|    x = a", content: "    x = 2 * a" }],
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("an anchor with blanks and capitals", CODE, {
    edits: [{ start: ` 2 : ${hashLine("    x = a").toUpperCase()} `, content: "    x = 2 * a" }],
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("an anchor without hash", CODE, {
    edits: [{ start: "2", content: "    x = 2 * a" }],
    outcome: refused(/LINE:HASH.*1:[0-9a-f]{4}\|def area.*2:[0-9a-f]{4}\| {4}x = a/s),
  }),
  hashlineCase("a hash without line", CODE, {
    edits: [{ start: `:${hashLine("    x = a")}`, content: "    x = 2 * a" }],
    outcome: refused(/an anchor is LINE:HASH/),
  }),
  hashlineCase("a wrong hash", CODE, {
    edits: [{ start: "2:0000", content: "    x = 2 * a" }],
    outcome: refused(/line 2 does not match.*The lines now are:\n1:[0-9a-f]{4}\|def area/s),
  }),
  hashlineCase("a line that is not there", CODE, {
    edits: [{ start: "99:0000", content: "z" }],
    outcome: refused(/line 99 does not match.*7:[0-9a-f]{4}\| {4}print/s),
  }),
];

const LONG = Array.from({ length: 40 }, (_, index) => `line ${index + 1};`).join("\n");

const MOVED: readonly Mistake[] = [
  hashlineCase("a line below an insertion made before", `new 1\nnew 2\n${CODE}`, {
    edits: [edit2({ content: "    x = 2 * a" })],
    outcome: applied(`new 1\nnew 2\n${CHANGED_2}`),
  }),
  hashlineCase("a line above which some were deleted", CODE.slice(CODE.indexOf("    y")), {
    edits: [{ start: at(CODE, 7), content: "    print(area(4, 5))" }],
    outcome: applied(CODE.slice(CODE.indexOf("    y")).replace("2, 3", "4, 5")),
  }),
  hashlineCase("a range that has moved as a whole", `new\n${CODE}`, {
    edits: [edit2({ end: at(CODE, 4), content: "    return a * b" })],
    outcome: applied(`new\n${CODE.replace(/ {4}x[\s\S]*x \* y/, "    return a * b")}`),
  }),
  hashlineCase("a moved range that ends with a bracket", `new\n${NESTED}`, {
    edits: [{ start: at(NESTED, 2), end: at(NESTED, 4), content: "  check(path);" }],
    outcome: applied(`new\n${NESTED.replace(/ {2}if[\s\S]*? {2}\}/, "  check(path);")}`),
  }),
  hashlineCase("a moved bracket alone", `new\n${NESTED}`, {
    edits: [{ start: at(NESTED, 4), content: "  } // read" }],
    outcome: refused(/not where the anchor says.*[0-9]:[0-9a-f]{4}\|/s),
  }),
  hashlineCase("a range whose inside has grown", CODE.replace("    y", "    z = 0\n    y"), {
    edits: [edit2({ end: at(CODE, 4), content: "    return a * b" })],
    outcome: refused(/not where the anchor says.*z = 0/s),
  }),
  hashlineCase("a moved line that is there twice", `x;\nsame;\nb;\nsame;\n`, {
    edits: [{ start: `1:${hashLine("same;")}`, content: "other;" }],
    outcome: refused(/on lines 2, 4/),
  }),
  hashlineCase("a line that was changed meanwhile", CODE.replace("x = a", "x = a + 0"), {
    edits: [edit2({ content: "    x = 2 * a" })],
    outcome: refused(/x = a \+ 0/),
  }),
  hashlineCase("a line that has gone far away", `${LONG}\n${LONG.replaceAll("line", "row")}\n`, {
    edits: [{ start: `1:${hashLine("row 30;")}`, content: "row thirty;" }],
    outcome: refused(/Nothing was changed/),
  }),
];

const RANGES: readonly Mistake[] = [
  hashlineCase("the line after repeated at the end", CODE, {
    edits: [edit2({ content: "    x = 2 * a\n    y = b" })],
    outcome: refused(/ends with line 3.*omit that line/),
  }),
  hashlineCase("the line before repeated at the beginning", CODE, {
    edits: [edit2({ content: "def area(a, b):\n    x = 2 * a" })],
    outcome: refused(/begins with line 1.*occur twice/),
  }),
  hashlineCase("the closing bracket repeated", NESTED, {
    edits: [{ start: at(NESTED, 3), content: "    return parse(read(path));\n  }" }],
    outcome: refused(/ends with line 4/),
  }),
  hashlineCase("a bracket that closes what the content opens", NESTED, {
    edits: [{ start: at(NESTED, 3), content: "  for (;;) {\n  }" }],
    outcome: applied(NESTED.replace("    return read(path);", "  for (;;) {\n  }")),
  }),
  hashlineCase("a range that covers the line it repeats", CODE, {
    edits: [edit2({ end: at(CODE, 3), content: "    x = 2 * a\n    y = b" })],
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("start and end swapped", CODE, {
    edits: [{ start: at(CODE, 3), end: at(CODE, 2), content: "    x, y = a, b" }],
    outcome: refused(/the end precedes the start/),
  }),
  hashlineCase("overlapping edits", CODE, {
    edits: [edit2({ end: at(CODE, 4), content: "    return a * b" }), edit2({ content: "" })],
    outcome: refused(/edits\[0\] and edits\[1\]|edits\[1\] and edits\[0\]/),
  }),
  hashlineCase("an insert with another end", CODE, {
    edits: [edit2({ end: at(CODE, 3), insert: "after", content: "    z = 0" })],
    outcome: refused(/an insert has no end/),
  }),
  hashlineCase("an insert with its own line as end", CODE, {
    edits: [edit2({ end: at(CODE, 2), insert: "after", content: "    z = 0" })],
    outcome: applied(CODE.replace("    y", "    z = 0\n    y")),
  }),
  hashlineCase("a trailing newline in the content", CODE, {
    edits: [edit2({ content: "    x = 2 * a\n" })],
    outcome: applied(CHANGED_2),
  }),
];

const FORMS: readonly Mistake[] = [
  hashlineCase("edits as JSON text", CODE, {
    edits: JSON.stringify([edit2({ content: "    x = 2 * a" })]),
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("one edit in place of a list", CODE, {
    edits: edit2({ content: "    x = 2 * a" }),
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("one edit as JSON text", CODE, {
    edits: JSON.stringify(edit2({ content: "    x = 2 * a" })),
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("a list of edits as JSON texts", CODE, {
    edits: [JSON.stringify(edit2({ content: "    x = 2 * a" }))],
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("JSON text that is cut off", CODE, {
    edits: '[{"start": "2:ab',
    outcome: refused(/edits/),
  }),
  {
    name: "file_path in place of path",
    mode: "hashline",
    file: CODE,
    input: { file_path: "file", edits: [edit2({ content: "    x = 2 * a" })] },
    outcome: applied(CHANGED_2),
  },
  {
    name: "old_string and new_string of another agent",
    mode: "searchReplace",
    file: CODE,
    input: { file_path: "file", old_string: "x = a", new_string: "x = 2 * a" },
    outcome: applied(CHANGED_2),
  },
  searchCase("true as text", "a\na\n", ["a", "b", applied("b\nb\n"), { replace_all: "true" }]),
  hashlineCase("content in a code fence", CODE, {
    edits: [edit2({ content: "```python\n    x = 2 * a\n```" })],
    outcome: applied(CHANGED_2),
  }),
  hashlineCase("a fence belongs to markdown", "# A\n\n```sh\nls\n```\n\ntext\n", {
    edits: [{ start: at("# A\n\n```sh\nls\n```\n\ntext\n", 7), content: "```sh\npwd\n```" }],
    outcome: applied("# A\n\n```sh\nls\n```\n\n```sh\npwd\n```\n"),
  }),
  hashlineCase("content as a diff", CODE, {
    edits: [edit2({ content: "@@ -2,1 +2,1 @@\n-    x = a\n+    x = 2 * a" })],
    outcome: refused(/is a diff/),
  }),
];

const LINE_ENDS: readonly Mistake[] = [
  hashlineCase("plain newlines for a CRLF file", crLf(CODE), {
    edits: [edit2({ content: "    x = 2 * a\n    z = 0" })],
    outcome: applied(crLf(CHANGED_2.replace("    y", "    z = 0\n    y"))),
  }),
  hashlineCase("CRLF for a file of plain newlines", CODE, {
    edits: [edit2({ content: "    x = 2 * a\r\n    z = 0\r\n" })],
    outcome: applied(CHANGED_2.replace("    y", "    z = 0\n    y")),
  }),
  searchCase("several new lines for one in a CRLF file", "a\r\nb\r\nc\r\n", [
    "b",
    "B1\nB2",
    applied("a\r\nB1\r\nB2\r\nc\r\n"),
  ]),
  searchCase("plain newlines searched in a CRLF file", "a\r\nb\r\nc\r\n", [
    "a\nb\n",
    "x\ny\n",
    applied("x\r\ny\r\nc\r\n"),
  ]),
  searchCase("CRLF searched in a file of plain newlines", "a\nb\nc\n", [
    "a\r\nb",
    "x\r\ny",
    applied("x\ny\nc\n"),
  ]),
  searchCase("mixed line ends of lines that stay", "a\r\nb\nc\r\nd\r\n", [
    "b\nc\nd",
    "b\nC\nd",
    applied("a\r\nb\nC\r\nd\r\n"),
  ]),
  searchCase("a last line without newline", "a\nb", ["b\n", "c\n", applied("a\nc")]),
  searchCase("a byte order mark before the first line", "\uFEFFa\nb\n", [
    "a\n",
    "x\n",
    applied("\uFEFFx\nb\n"),
  ]),
];

const QUOTED = "title = “Blue” – it’s fine\nnext = 1\n";
const TABS = "func f() {\n\tif ok {\n\t\trun()\n\t}\n}\n";

const TOLERANT: readonly Mistake[] = [
  searchCase("trailing blanks that are not in old_text", "k=1  \nb=2\t\nc=3\n", [
    "k=1\nb=2\nc=3",
    "k=1\nb=3\nc=3",
    applied("k=1  \nb=3\nc=3\n"),
  ]),
  searchCase("trailing blanks that only old_text has", CODE, [
    "    x = a  \n    y = b \n",
    "    x = 2 * a\n    y = b \n",
    applied(CHANGED_2),
  ]),
  searchCase("indentation left out", CODE, [
    "x = a\ny = b\nreturn x * y",
    "x = 2 * a\ny = b\nreturn x * y",
    applied(CHANGED_2),
  ]),
  searchCase("too much indentation", CODE, [
    "        x = a\n        y = b",
    "        x = 2 * a\n        y = b",
    applied(CHANGED_2),
  ]),
  searchCase("blanks in place of tabs", TABS, [
    "    if ok {\n        run()\n    }",
    "    if ok {\n        start()\n        run()\n    }",
    applied(TABS.replace("\t\trun", "\t\tstart()\n\t\trun")),
  ]),
  searchCase("tabs in place of blanks", NESTED, [
    "\tif (path) {\n\t\treturn read(path);\n\t}",
    "\tif (path) {\n\t\tcheck(path);\n\t\treturn read(path);\n\t}",
    applied(NESTED.replace("    return", "    check(path);\n    return")),
  ]),
  searchCase("steps of four for steps of two", NESTED, [
    "    if (path) {\n        return read(path);\n    }",
    "    if (path) {\n        return parse(path);\n    }",
    applied(NESTED.replace("read(", "parse(")),
  ]),
  searchCase("a new line deeper than all old ones", CODE, [
    "x = a\ny = b",
    "if a:\n    x = a\ny = b",
    applied(CODE.replace("    x = a", "    if a:\n        x = a")),
  ]),
  searchCase("indentation that follows no rule", "  a();\n      b();\n    c();\n", [
    "a();\n  b();\n  c();",
    "a();\n  b();\n    d();",
    refused(/Closest match:\n1\| {2}a\(\);/),
  ]),
  searchCase("plain quotes for smart ones", QUOTED, [
    'title = "Blue" - it\'s fine',
    'title = "Green" - it\'s fine',
    applied(QUOTED.replace("Blue", "Green")),
  ]),
  searchCase("a plain blank for one that does not break", "a\u00A0b = 1\n", [
    "a b = 1",
    "a b = 2",
    applied("a\u00A0b = 2\n"),
  ]),
  searchCase("line ends escaped twice", CODE, [
    "    x = a\\n    y = b",
    "    x = 2 * a\\n    y = b",
    applied(CHANGED_2),
  ]),
  searchCase("quotes escaped twice", 'say("hi");\nend();\n', [
    'say(\\"hi\\");',
    'say(\\"ho\\");',
    applied('say("ho");\nend();\n'),
  ]),
  searchCase("quotes escaped twice beside an escape that may be meant", 'say("hi");\n', [
    'say(\\"hi\\");',
    'say(\\"ho\\n\\");',
    refused(/Closest match:\n1\|say\("hi"\);/),
  ]),
  searchCase("escapes that are in the file are literal", 'say("a\\nb");\n', [
    'say("a\\nb");',
    'say("a\\nc");',
    applied('say("a\\nc");\n'),
  ]),
  searchCase("anchors before each line", CODE, [
    "2:abcd|    x = a\n3:beef|    y = b",
    "2:abcd|    x = 2 * a\n3:beef|    y = b",
    applied(CHANGED_2),
  ]),
  searchCase("line numbers before each line", CODE, [
    "     2\t    x = a\n     3\t    y = b",
    "     2\t    x = 2 * a\n     3\t    y = b",
    applied(CHANGED_2),
  ]),
  searchCase("a deletion with other trailing blanks", "a\nb  \nc\n", [
    "b\n",
    "",
    applied("a\nc\n"),
  ]),
  searchCase("signs that mean something in a replacement", "a\n", ["a", "$&$1", applied("$&$1\n")]),
];

const MISSED: readonly Mistake[] = [
  searchCase("a text that is there twice", "a;\nb;\na;\n", ["a;", "x;", refused(/lines 1, 3\./)]),
  searchCase("a text that is there twice but for blanks", "\ta;\nb;\n\ta;\n", [
    "  a;",
    "  x;",
    refused(/lines 1, 3\./),
  ]),
  searchCase("another name than in the file", CODE, [
    "    return x * z",
    "    return x + z",
    refused(/Closest match:\n3\| {4}y = b\n4\| {4}return x \* y/),
  ]),
  searchCase("lines left out with three dots", CODE, [
    "def area(a, b):\n    # ...\n    return x * y",
    "def area(a, b):\n    # ...\n    return y * x",
    refused(/does not match omitted lines.*1\|def area/s),
  ]),
  searchCase("a change that is made already", CHANGED_2, [
    "    x = a\n",
    "    x = 2 * a\n",
    refused(/new_text already occurs on line 2/),
  ]),
  searchCase("a text of another file", CODE, [
    "SELECT id FROM users WHERE name = ?",
    "SELECT id FROM people WHERE name = ?",
    refused(/Read the file and try again/),
  ]),
  searchCase("blanks alone", "a\n\n\nb\n", ["   \n   ", "x", refused(/not in the file/)]),
  searchCase("an empty old_text", CODE, ["", "x", refused(/old_text/)]),
];

export const MISTAKES: readonly Mistake[] = [
  ...ANCHORS,
  ...MOVED,
  ...RANGES,
  ...FORMS,
  ...LINE_ENDS,
  ...TOLERANT,
  ...MISSED,
];
