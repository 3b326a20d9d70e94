import { defineConfig, mergeConfig } from "vitest/config";
import common from "./vitest.config.ts";

/** What of the suite holds on every engine, with the databases on PostgreSQL. */
const config = mergeConfig(
  common,
  defineConfig({
    test: {
      exclude: [
        // They copy the file of a filled database, and damage its pages and tables.
        "test/memory/maintenance/{damaged-index,damaged-page,doctor,export-import,reindex}.test.ts",
        // They open no database.
        "test/memory/{changeset,presentation,secrets}/{examples,find-secrets,parse-compact,patterns,quote-for-model,resolve-refs,split-changeset,tokenize}.test.ts",
        "test/memory/search/{simd,sqlite}/**",
        "test/memory/search/{fold-text,query-words,token-query,word-forms}.test.ts",
      ],
    },
  }),
);
config.test.include = [
  "test/{memory,contract,rest,mcp}/**/*.test.ts",
  "test/server/metrics/**/*.test.ts",
  // Who may come in is kept where the databases are.
  "test/access/identity/**/*.test.ts",
  "test/access/roles.test.ts",
  // The page's main flows: find, decide, watch what others write.
  "test/web/{decide-and-watch,find-and-item}.test.ts",
];

export default config;
