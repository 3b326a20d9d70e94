import type { TrustStatus } from "../../config/index.ts";
import { CairnError } from "../../shared/errors.ts";
import type { CliCommand } from "../cli-command.ts";
import { askForTrust, describeTrust } from "../request-trust.ts";

export const trust: CliCommand = {
  name: "trust",
  reader: "person",
  summary: "Accept this project's config and commands",
  group: "Agent",
  example: "cairn trust",
  configure(command) {
    command.option("-y, --yes", "accept without asking");
  },
  async run(line, _args, options) {
    const [{ trustProject, trustStatus }, { startedByAgent }] = await Promise.all([
      import("../../config/index.ts"),
      import("../../agent/index.ts"),
    ]);
    if (startedByAgent(line.env)) {
      throw new CairnError(
        "forbidden",
        "Commands of an agent cannot trust a project. Run `cairn trust` in your own terminal.",
      );
    }
    const context = { env: line.env, cwd: line.cwd };
    const status = trustStatus(context);
    if (options.json !== true) line.stderr.write(describeTrust(status));
    if (status.state !== "none" && status.state !== "trusted") {
      if (options.yes !== true && (await askForTrust(line)) !== true) {
        line.stderr.write("Not trusted. `cairn trust --yes` accepts it without confirmation.\n");
        return 1;
      }
    }
    const trusted = trustProject(context, status.hash);
    if (options.json === true) line.stdout.write(`${JSON.stringify(toJson(trusted))}\n`);
    else line.stdout.write(`Trusted: ${trusted.projectConfigFile}\n`);
    return undefined;
  },
};

function toJson({ state, projectConfigFile, asksFor, commands, servers, memories }: TrustStatus) {
  return { state, file: projectConfigFile, sets: asksFor, commands, servers, memories };
}
