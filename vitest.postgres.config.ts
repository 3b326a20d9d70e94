import { defineConfig, mergeConfig } from "vitest/config";
import common from "./vitest.config.ts";

/**
 * Runs the tests that depend on the SQL dialect on PostgreSQL: the contract, and the folders whose
 * queries differ by engine. Tests that start a PostgreSQL server themselves run in the other
 * suites.
 */
const config = mergeConfig(
  common,
  defineConfig({
    test: {
      exclude: [
        // These start PostgreSQL themselves.
        "test/memory/operations/round-trips.test.ts",
        "test/memory/purge/{kept-elsewhere,purge-in-place}.test.ts",
        "test/memory/search/{shared-queue,text-indexes,vector-index}.test.ts",
        // These open no database, or only one on SQLite.
        "test/contract/{deep-values,hostile-requests}.test.ts",
        "test/memory/search/{simd,sqlite}/**",
        "test/memory/search/{fold-text,query-words,token-query,word-forms}.test.ts",
        // These test code above the database.
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
