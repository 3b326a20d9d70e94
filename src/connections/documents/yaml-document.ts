import { isCollection, parseDocument } from "yaml";
import type { DocumentLanguage } from "./document.ts";

export const yamlDocument: DocumentLanguage = {
  title: "YAML",
  parse(text) {
    return read(text).toJS({ maxAliasCount: 1_000 });
  },
  apply(text, { path, value }) {
    const document = read(text);
    const keys = [...path];
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    if (value === undefined) {
      document.deleteIn(keys);
      removeEmpty(document, keys.slice(0, -1));
    } else {
      document.setIn(keys, document.createNode(value));
    }
    // Long lines of others are not to be folded anew.
    return document.toString({ lineWidth: 0 }).replaceAll(/\r?\n/g, eol);
  },
};

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
