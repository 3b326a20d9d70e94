/**
 * Programs that run in a separate thread or process. Each is a separate file next to the bundle;
 * see `src/shared/own-process.ts`.
 */
export const OWN_PROGRAMS = {
  "page.worker": "src/agent/web/page.worker.ts",
  "import.worker": "src/ingest/importers/import.worker.ts",
  "search.worker": "src/agent/tools/search.worker.ts",
  "encoder.child": "src/embedding/onnx/encoder.child.ts",
  "doctor.child": "src/memory/maintenance/doctor.child.ts",
  "erase.child": "src/database/sqlite/erase.child.ts",
  "sandbox.child": "src/agent/sandbox/sandbox.child.ts",
};
