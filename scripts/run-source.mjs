// Runs a TypeScript program of the sources in a separate thread or process, which Node.js alone
// cannot load: `run-source.mjs <file URL> [arguments]`.
import { tsImport } from "tsx/esm/api";

const [source] = process.argv.splice(2, 1);
await tsImport(source, import.meta.url);
