import { spawn } from "node:child_process";
import { homedir } from "node:os";

const LONGEST_MS = 20_000;

/**
 * What the person's own git knows to log in with, as a header; undefined: nothing. It is asked in the home
 * folder, so that the config of no project names the program that answers, and may ask nobody.
 */
export async function gitLogin(
  origin: string,
  path: string,
  environment: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const { protocol, host } = new URL(origin);
  const asked = [`protocol=${protocol.slice(0, -1)}`, `host=${host}`, `path=${path.slice(1)}`];
  const told = await fill(`${asked.join("\n")}\n\n`, environment);
  const values = new Map(
    told.split("\n").map((line) => {
      const end = line.indexOf("=");
      return [line.slice(0, end), line.slice(end + 1)];
    }),
  );
  const [name, password] = [values.get("username"), values.get("password")];
  if (name === undefined || password === undefined) return undefined;
  return `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
}

/** Empty where git knows none. */
function fill(question: string, environment: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn("git", ["credential", "fill"], {
      cwd: homedir(),
      env: { ...environment, GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "true", SSH_ASKPASS: "true" },
      stdio: ["pipe", "pipe", "ignore"],
      timeout: LONGEST_MS,
    });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.once("error", () => resolve(""));
    child.once("close", (code) => resolve(code === 0 ? text : ""));
    // It may have ended before it read everything.
    child.stdin.on("error", () => undefined);
    child.stdin.end(question);
  });
}
