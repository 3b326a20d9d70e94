// Starts the memory server of this very version; npm keeps it after the first start.
const { spawn } = require("node:child_process");

const args = ["-y","cairn-memory@0.1.0","mcp"];
const child = spawn("npx", [...args, ...process.argv.slice(2)], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  process.stderr.write(`cairn could not be started by npx: ${error.message}\n`);
  process.exitCode = 1;
});
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
