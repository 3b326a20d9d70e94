import { invalidInput, notFound } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { withApp } from "../open-app.ts";

const ACTIONS = ["new", "list", "revoke"];

export const pair: CliCommand = {
  name: "pair",
  reader: "person",
  summary: "Pair a phone that answers what the agent asks; list and revoke those that are",
  group: "Servers",
  example: "cairn pair --lan\ncairn pair list\ncairn pair revoke android-3f2a",
  configure(command) {
    command
      .argument("[action]", "new (default), list, revoke")
      .argument("[name]", "revoke: which one")
      .option("--lan", "new: let phones in on every address of this machine")
      .option("--phone-host <address>", "new: let phones in on this address")
      .option("--name <name>", "new: what the phone is called in lists and in the log")
      .option("--expires <time>", "new: hours or days until it ends, e.g. 12h (default: 30d)");
  },
  async run(line, [action = "new", name, ...words], options) {
    if (!ACTIONS.includes(action)) {
      throw invalidInput(`pair: there is no action "${action}".${didYouMean(action, ACTIONS)}`);
    }
    if (words.length > 0 || (action === "revoke") !== (name !== undefined)) {
      throw invalidInput("pair: write cairn pair, cairn pair list or cairn pair revoke NAME");
    }
    return withApp(line, options, async ({ config }) => {
      const { KeptPhones } = await import("../../phones/index.ts");
      const phones = new KeptPhones(config.dataDir);
      const asJson = options.json === true;
      if (action === "new") {
        await pairNew(line, options, config);
      } else if (name === undefined) {
        const paired = phones.list();
        line.stdout.write(asJson ? `${JSON.stringify({ phones: paired })}\n` : tableOf(paired));
      } else {
        phones.revoke(name);
        line.stdout.write(
          asJson ? `${JSON.stringify({ revoked: name })}\n` : `${name} is let in no more.\n`,
        );
      }
      return undefined;
    });
  },
};

interface Place {
  readonly dataDir: string;
  readonly paths: { readonly projectRoot: string };
  readonly settings: { readonly phoneHost?: string | undefined };
}

/** Pairs with the agent that is running for this project; throws if none is. */
async function pairNew(
  line: CommandLine,
  options: Readonly<Record<string, unknown>>,
  { dataDir, paths, settings }: Place,
): Promise<void> {
  const [{ findAgent }, { pairWith }] = await Promise.all([
    import("../page/find-agent.ts"),
    import("../page/pair-phone.ts"),
  ]);
  const agent = await findAgent(dataDir, { cwd: paths.projectRoot });
  if (agent === undefined) {
    throw notFound(
      "No page with the agent of this project is open. `cairn ui --pair --lan` opens one and pairs a phone with it.",
    );
  }
  const given = options.lan === true ? "0.0.0.0" : textOf(options.phoneHost);
  const wish = {
    address: given ?? settings.phoneHost,
    name: textOf(options.name),
    expires: textOf(options.expires),
  };
  await pairWith(line, agent, wish, options.json === true);
}

function textOf(option: unknown): string | undefined {
  return typeof option === "string" ? option : undefined;
}

interface Listed {
  readonly name: string;
  readonly project: string;
  readonly created_at: string;
  readonly used_at: string;
  readonly expires_at: string;
}

function tableOf(phones: readonly Listed[]): string {
  if (phones.length === 0) return "No phone is paired.\n";
  const width = Math.max(...phones.map(({ name }) => name.length));
  return phones
    .map(({ name, project, created_at: made, used_at: used, expires_at: end }) =>
      [
        name.padEnd(width),
        `paired ${minuteOf(made)}`,
        `used ${minuteOf(used)}`,
        `until ${minuteOf(end)}`,
        `${project}\n`,
      ].join("  "),
    )
    .join("");
}

function minuteOf(time: string): string {
  return `${time.slice(0, 16)}Z`;
}
