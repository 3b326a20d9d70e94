import type { DocumentFormat } from "../../index.ts";
import type { DocumentLanguage } from "./document.ts";
import { jsonDocument } from "./json-document.ts";
import { scriptDocument } from "./script-document.ts";
import { tomlDocument } from "./toml-document.ts";
import { yamlDocument } from "./yaml-document.ts";

export const documentLanguages = {
  json: jsonDocument,
  toml: tomlDocument,
  yaml: yamlDocument,
  script: scriptDocument,
} as const satisfies Record<DocumentFormat, DocumentLanguage>;
