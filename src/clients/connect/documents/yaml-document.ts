import { isDeepStrictEqual } from "node:util";
import { isCollection, parseDocument } from "yaml";
import type { Change, DocumentLanguage } from "./document.ts";
import { editYaml } from "./yaml-edit.ts";

export const yamlDocument: DocumentLanguage = {
  title: "YAML",
  parse(text) {
    return contentOf(read(text));
  },
  apply(text, change) {
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    const lines = text.replaceAll("\r\n", "\n");
    const document = changed(lines, change);
    const edited = editYaml({ text: lines, document: read(lines), ...change });
    const isRight =
      edited !== undefined && isDeepStrictEqual(tryContent(edited), contentOf(document));
    // Long lines of the user's are not refolded.
    const after = isRight ? edited : document.toString({ lineWidth: 0 });
    return after.replaceAll("\n", eol);
  },
};

function changed(text: string, { path, value }: Change) {
  const document = read(text);
  const keys = [...path];
  if (value === undefined) {
    document.deleteIn(keys);
    removeEmpty(document, keys.slice(0, -1));
  } else {
    document.setIn(keys, document.createNode(value));
  }
  return document;
}

function contentOf(document: ReturnType<typeof parseDocument>): unknown {
  return document.toJS({ maxAliasCount: 1_000 });
}

function tryContent(text: string): unknown {
  try {
    return contentOf(read(text));
  } catch {
    // A result that cannot be parsed is not used.
    return undefined;
  }
}

function read(text: string) {
  const document = parseDocument(text, { keepSourceTokens: true });
  const [error] = document.errors;
  if (error === undefined) return document;
  const line = error.linePos?.[0].line;
  throw new Error(`${line === undefined ? "" : `line ${line}: `}${error.message.split("\n")[0]}`);
}

function removeEmpty(document: ReturnType<typeof parseDocument>, path: (string | number)[]): void {
  if (path.length === 0) return;
  const parent = document.getIn(path);
  if (isCollection(parent) && parent.items.length === 0) document.deleteIn(path);
}
