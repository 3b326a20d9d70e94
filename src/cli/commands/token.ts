import type { PeopleTokens } from "../../access/index.ts";
import { ACCESS_SCOPES } from "../../kernel/caller.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { didYouMean } from "../../kernel/nearest.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { confirm } from "../confirm.ts";
import { EXIT } from "../exit-code.ts";
import { withApp } from "../open-app.ts";

/** One thing to do with tokens. */
interface Action {
  /** How its words are written, for errors. */
  readonly usage: string;
  readonly words: number;
  /** What is asked before it is done; undefined: nothing. */
  readonly question?: string;
  run(tokens: PeopleTokens, name: string, scope: unknown): Promise<Answer>;
}

interface Answer {
  readonly output: object;
  readonly text: string;
}

const STAYS_CLOSED =
  "Servers go on asking for one: make another, or open them to everybody with `cairn token open`.";

const ACTIONS: Readonly<Record<string, Action>> = {
  create: {
    usage: "create NAME --scope read|write|admin",
    words: 1,
    async run(tokens, name, given = "write") {
      const scope = ACCESS_SCOPES.find((known) => known === given);
      if (scope === undefined) {
        throw invalidInput(`--scope: must be one of ${ACCESS_SCOPES.join(", ")}`);
      }
      const made = await tokens.create(name, scope);
      const text = `${made.token}\nThe token of ${name}, for ${scope}. It is not kept and not shown again.`;
      return { output: made, text };
    },
  },
  list: {
    usage: "list",
    words: 0,
    async run(tokens) {
      const list = await tokens.list();
      const width = Math.max(0, ...list.map(({ name }) => name.length));
      const rows = list.map(({ name, scope, created_at: at }) =>
        [name.padEnd(width), scope.padEnd(5), `made ${at.slice(0, 16)}Z`].join("  "),
      );
      const isClosed = await tokens.isClosed();
      const none = isClosed ? `There are no tokens. ${STAYS_CLOSED}` : "There are no tokens.";
      const text = list.length === 0 ? none : rows.join("\n");
      return { output: { tokens: list, closed: isClosed }, text };
    },
  },
  revoke: {
    usage: "revoke NAME",
    words: 1,
    async run(tokens, name) {
      await tokens.revoke(name);
      const isLast = (await tokens.list()).length === 0;
      const text = `Revoked the token of ${name}.${isLast ? ` It was the last one. ${STAYS_CLOSED}` : ""}`;
      return { output: { name }, text };
    },
  },
  open: {
    usage: "open",
    words: 0,
    question:
      "Servers on this data folder will ask nobody for a token: every program of this machine may then read, write, purge and make tokens. Open it?",
    async run(tokens) {
      const wasClosed = await tokens.isClosed();
      await tokens.reopen();
      const text = wasClosed
        ? "Open: servers answer this machine without a token. The next `cairn token create` closes it again."
        : "It is open already: servers ask for no token until there is one.";
      return { output: { closed: false }, text };
    },
  },
};

const NAMES = Object.keys(ACTIONS);

export const token: CliCommand = {
  name: "token",
  reader: "person",
  summary: "Give people and programs tokens of their own for `cairn serve`, and revoke them",
  group: "Servers",
  example:
    "cairn token create ada --scope write\ncairn token list\ncairn token revoke ada\ncairn token open",
  configure(command) {
    command
      .argument("<action>", NAMES.join(", "))
      .argument("[name]", "whose token it is: the author of all that is written with it")
      .option("--scope <scope>", `create: ${ACCESS_SCOPES.join(", ")} (default: write)`)
      .option("-y, --yes", "open: do not ask; needed where nobody can answer");
  },
  run(line, [name = "", ...words], options) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) {
      throw invalidInput(`token: there is no action "${name}".${didYouMean(name, NAMES)}`);
    }
    if (words.length !== action.words || (options.scope !== undefined && name !== "create")) {
      throw invalidInput(`token ${name}: write cairn token ${action.usage}`);
    }
    if (options.yes !== undefined && action.question === undefined) {
      throw invalidInput(`token ${name}: write cairn token ${action.usage}`);
    }
    return withApp(line, options, async (app) => {
      const { PeopleTokens } = await import("../../access/index.ts");
      const tokens = new PeopleTokens(app.store.tokens);
      if (!(await isWanted(line, action, options.yes === true))) return EXIT.failed;
      const { output, text } = await action.run(tokens, words[0] ?? "", options.scope);
      line.stdout.write(options.json === true ? `${JSON.stringify(output)}\n` : `${text}\n`);
      return undefined;
    });
  },
};

async function isWanted(line: CommandLine, action: Action, isAgreed: boolean): Promise<boolean> {
  if (action.question === undefined || isAgreed) return true;
  if (line.stdin.isTTY !== true) {
    throw invalidInput(`--yes: is needed here, since nobody can be asked. ${action.question}`);
  }
  if (await confirm(line, action.question)) return true;
  line.stderr.write("Nothing was changed.\n");
  return false;
}
