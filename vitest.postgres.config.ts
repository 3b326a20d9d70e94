import { defineConfig, mergeConfig } from "vitest/config";
import common from "./vitest.config.ts";

/**
 * Runs what depends on the SQL dialect with the databases on PostgreSQL: the contract, and the folders whose
 * queries differ by engine. Tests that start a PostgreSQL server themselves run in the other suites.
 */
const config = mergeConfig(
  common,
  defineConfig({
    test: {
      exclude: [
        // They start PostgreSQL themselves.
        "test/memory/operations/round-trips.test.ts",
        "test/memory/purge/{kept-elsewhere,purge-in-place}.test.ts",
        "test/memory/search/{shared-queue,text-indexes,vector-index}.test.ts",
        // They open no database, or only one on SQLite.
        "test/contract/{deep-values,hostile-requests}.test.ts",
        "test/memory/search/{simd,sqlite}/**",
        "test/memory/search/{fold-text,query-words,token-query,word-forms}.test.ts",
        // Their subject is above the database.
        "test/memory/facts/cluster-entities.test.ts",
        "test/memory/operations/{bad-input,time-limit}.test.ts",
      ],
    },
  }),
);
config.test.include = [
  "test/contract/**/*.test.ts",
  "test/memory/{entities,events,facts,filters,history,listing,operations,proposals,purge,search,snapshot,stats}/**/*.test.ts",
  "test/memory/recall/recall.test.ts",
  "test/server/metrics/**/*.test.ts",
  "test/access/{tokens,roles}.test.ts",
];

export default config;
