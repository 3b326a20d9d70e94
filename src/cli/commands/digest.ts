import type { withContradictions } from "../../deciding/index.ts";
import type { CliCommand } from "../cli-command.ts";
import { EXIT } from "../exit-code.ts";
import { withMemory } from "../open-app.ts";

export const digest: CliCommand = {
  name: "digest",
  reader: "person",
  summary: "Tell what waits for a decision, for how long, whose it is and what it contradicts",
  group: "Memory",
  example: "cairn digest\ncairn digest --post",
  configure(command) {
    command.option(
      "--post",
      "accept by rule and post to deciding.webhook, as a server does by itself",
    );
  },
  run: (line, _args, options) =>
    withMemory(line, options, async (memory, app) => {
      const { digestText, waitingProposals, withContradictions } = await import(
        "../../deciding/index.ts"
      );
      const { tellOfProposals } = await import("../../app/index.ts");
      if (options.post === true) await tellOfProposals(app);
      const { owners } = app.config.settings.deciding;
      const listed = await waitingProposals(memory, { owners, now: new Date() });
      const waiting = await withContradictions(memory, listed);
      if (options.json === true) {
        line.stdout.write(`${JSON.stringify({ waiting: waiting.map(toJson) })}\n`);
      } else if (waiting.length === 0) line.stdout.write("Nothing waits for a decision.\n");
      else {
        line.stdout.write(`${digestText(memory.name, waiting)}\n`);
        line.stdout.write("`cairn accept ID` keeps one, `cairn reject ID` does not.\n");
      }
      return EXIT.ok;
    }),
};

type Waiting = Awaited<ReturnType<typeof withContradictions>>[number];

const toJson = ({ proposal, owners, against, days }: Waiting) => ({
  ...proposal,
  owners,
  against,
  days,
});
