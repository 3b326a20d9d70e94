import { createInterface } from "node:readline/promises";
import type { TrustStatus } from "../../config/index.ts";
import { stripControl } from "../../kernel/strip-control.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";

export const trust: CliCommand = {
  name: "trust",
  summary: "Accept this project's config with all that it sets",
  group: "Agent",
  example: "cairn trust",
  configure(command) {
    command.option("--yes", "accept without asking");
  },
  async run(line, _args, options) {
    const { trustProject, trustStatus } = await import("../../config/index.ts");
    const place = { env: line.env, cwd: line.cwd };
    const status = trustStatus(place);
    if (options.json !== true) line.stderr.write(describe(status));
    if (status.state !== "none" && status.state !== "trusted") {
      if (options.yes !== true && !(await confirm(line))) {
        line.stderr.write("Not trusted. `cairn trust --yes` accepts it without asking.\n");
        return 1;
      }
    }
    // Without a config it throws, and says so.
    const trusted = trustProject(place, status.hash);
    if (options.json === true) line.stdout.write(`${JSON.stringify(toJson(trusted))}\n`);
    else line.stdout.write(`Trusted: ${trusted.projectConfigFile}\n`);
    return undefined;
  },
};

function describe({ state, projectConfigFile, asksFor }: TrustStatus): string {
  if (state === "none" || state === "trusted") return "";
  const head = state === "changed" ? "has changed since you trusted it. It sets" : "sets";
  const settings = asksFor.map(({ key, value }) => `  ${key}: ${JSON.stringify(value)}\n`);
  const body = settings.length === 0 ? "  nothing that needs trust\n" : settings.join("");
  return stripControl(`${projectConfigFile} ${head}\n${body}`);
}

/** False where nobody can be asked. */
async function confirm({ stdin, stderr }: CommandLine): Promise<boolean> {
  if (stdin.isTTY !== true) return false;
  const question = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await question.question("Trust this project? [y/N] ");
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    question.close();
  }
}

function toJson({ state, projectConfigFile, asksFor }: TrustStatus) {
  return { state, file: projectConfigFile, sets: asksFor };
}
