// Runs a program of the sources in a thread or process of its own, where Node.js alone would refuse
// TypeScript: `run-source.mjs <file URL> [arguments]`.
import { tsImport } from "tsx/esm/api";

const [source] = process.argv.splice(2, 1);
await tsImport(source, import.meta.url);
