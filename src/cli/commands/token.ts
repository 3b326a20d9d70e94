import type { NewToken, PeopleTokens, TokenRecord } from "../../access/index.ts";
import { ACCESS_SCOPES } from "../../shared/caller.ts";
import { invalidInput } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { parseList } from "../../shared/parse-field.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { confirm, withApp } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";

interface Action {
  readonly usage: string;
  readonly words: number;
  readonly question?: string;
  readonly flags: readonly Flag[];
  run(tokens: PeopleTokens, name: string, flags: Flags): Promise<Answer>;
}

const FLAGS = ["scope", "databases", "expires", "requestsPerMinute"] as const;
type Flag = (typeof FLAGS)[number];
type Flags = Readonly<Partial<Record<Flag, string>>>;

interface Answer {
  readonly output: object;
  readonly text: string;
}

const STILL_CLOSED_NOTE =
  "Servers still require one: create another, or allow access without tokens with `cairn token open`.";

const ACTIONS: Readonly<Record<string, Action>> = {
  create: {
    usage: `create NAME [--scope ${ACCESS_SCOPES.join("|")}] [--databases A,B] [--expires 30d] [--requests-per-minute N]`,
    words: 1,
    flags: FLAGS,
    async run(tokens, name, flags) {
      const { scope: value = "write", databases: listed, expires } = flags;
      const scope = ACCESS_SCOPES.find((known) => known === value);
      if (scope === undefined) {
        throw invalidInput(`--scope: must be one of ${ACCESS_SCOPES.join(", ")}`);
      }
      const databases = listed === undefined ? undefined : parseList(listed, "--databases");
      const quotas = {
        requests_per_minute: parseCount(flags.requestsPerMinute, "--requests-per-minute"),
      };
      return createNewTokenResult(
        await tokens.create(name, scope, { databases, expires, ...quotas }),
      );
    },
  },
  rotate: {
    usage: "rotate NAME [--expires 30d]",
    words: 1,
    flags: ["expires"],
    async run(tokens, name, { expires }) {
      return createNewTokenResult(await tokens.rotate(name, { expires }));
    },
  },
  list: {
    usage: "list",
    words: 0,
    flags: [],
    async run(tokens) {
      const list = await tokens.list();
      const widths = {
        name: Math.max(0, ...list.map(({ name }) => name.length)),
        scope: Math.max(0, ...list.map(({ scope }) => scope.length)),
      };
      const rows = list.map((record) => printRecord(record, widths));
      const isClosed = await tokens.isClosed();
      const emptyNotice = isClosed
        ? `There are no tokens. ${STILL_CLOSED_NOTE}`
        : "There are no tokens.";
      const text = list.length === 0 ? emptyNotice : rows.join("\n");
      return { output: { tokens: list, closed: isClosed }, text };
    },
  },
  revoke: {
    usage: "revoke NAME",
    words: 1,
    flags: [],
    async run(tokens, name) {
      await tokens.revoke(name);
      const isLast = (await tokens.list()).length === 0;
      const text = `Revoked the token of ${name}.${isLast ? ` It was the last one. ${STILL_CLOSED_NOTE}` : ""}`;
      return { output: { name }, text };
    },
  },
  open: {
    usage: "open",
    words: 0,
    flags: [],
    question:
      "Servers on this data folder will no longer require a token: any program on this machine can then read, write, purge and create tokens. Continue?",
    async run(tokens) {
      const wasClosed = await tokens.isClosed();
      await tokens.reopen();
      const text = wasClosed
        ? "Access without a token is now allowed on this machine. The next `cairn token create` disables it."
        : "Access without a token is already allowed.";
      return { output: { closed: false }, text };
    },
  },
};

function createNewTokenResult(created: NewToken): Answer {
  const rights = [created.scope, ...describeLimits(created)].join(", ");
  const text = `${created.token}\nThe token of ${created.name}, for ${rights}. It is not stored and will not be shown again.`;
  return { output: created, text };
}

function printRecord(record: TokenRecord, width: { name: number; scope: number }): string {
  const { name, scope, created_at: createdAt, rotated_at: rotated, used_at: used } = record;
  const rotation = rotated === undefined ? [] : [`rotated ${formatMinute(rotated)}`];
  const use = used === undefined ? "not used yet" : `used ${formatMinute(used)}`;
  const times = [`made ${formatMinute(createdAt)}`, ...rotation, use, ...describeLimits(record)];
  return [name.padEnd(width.name), scope.padEnd(width.scope), ...times].join("  ");
}

function parseCount(text: string | undefined, flag: string): number | undefined {
  if (text === undefined || /^[1-9]\d{0,8}$/.test(text)) {
    return text === undefined ? undefined : Number(text);
  }
  throw invalidInput(`${flag}: must be a whole number of 1 or more`);
}

function describeLimits(record: TokenRecord): string[] {
  const { databases, expires_at: end, requests_per_minute: requests } = record;
  return [
    ...(databases === undefined ? [] : [`only ${databases.join(", ")}`]),
    ...(end === undefined ? [] : [`until ${formatMinute(end)}`]),
    ...(requests === undefined ? [] : [`${requests} requests a minute`]),
  ];
}

function formatMinute(time: string): string {
  return `${time.slice(0, 16)}Z`;
}

const ACTION_NAMES = Object.keys(ACTIONS);

export const token: CliCommand = {
  name: "token",
  reader: "person",
  summary: "Create and revoke access tokens for `cairn serve`",
  group: "Servers",
  example:
    "cairn token create ada --scope write --expires 90d\ncairn token rotate ada\ncairn token list\ncairn token revoke ada\ncairn token open",
  configure(command) {
    command
      .argument("<action>", ACTION_NAMES.join(", "))
      .argument("[name]", "name of the token; becomes the author of its changes")
      .option("--scope <scope>", `create: ${ACCESS_SCOPES.join(", ")} (default: write)`)
      .option("--databases <names>", "create: limit to these databases, e.g. web,docs")
      .option("--expires <time>", "create, rotate: lifetime in hours or days, e.g. 30d")
      .option("--requests-per-minute <n>", "create: overrides the server's limit")
      .option("-y, --yes", "open: skip the confirmation; required without a terminal");
  },
  run(line, [name = "", ...words], options) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) {
      throw invalidInput(`token: there is no action "${name}".${didYouMean(name, ACTION_NAMES)}`);
    }
    const flags = Object.fromEntries(
      FLAGS.flatMap((flag) => {
        const input = options[flag];
        return typeof input === "string" ? [[flag, input] as const] : [];
      }),
    ) as Flags;
    const isStray = FLAGS.some((it) => flags[it] !== undefined && !action.flags.includes(it));
    if (words.length !== action.words || isStray) {
      throw invalidInput(`token ${name}: use cairn token ${action.usage}`);
    }
    if (options.yes !== undefined && action.question === undefined) {
      throw invalidInput(`token ${name}: use cairn token ${action.usage}`);
    }
    return withApp(line, options, async (app) => {
      const { PeopleTokens } = await import("../../access/index.ts");
      const tokens = new PeopleTokens(app.store.tokens);
      if (!(await isRequested(line, action, options.yes === true))) return EXIT.failed;
      const { output, text } = await action.run(tokens, words[0] ?? "", flags);
      line.stdout.write(options.json === true ? `${JSON.stringify(output)}\n` : `${text}\n`);
      return undefined;
    });
  },
};

async function isRequested(line: CommandLine, action: Action, isAgreed: boolean): Promise<boolean> {
  if (action.question === undefined || isAgreed) return true;
  if (line.stdin.isTTY !== true) {
    throw invalidInput(`--yes: is required without a terminal. ${action.question}`);
  }
  if (await confirm(line, action.question)) return true;
  line.stderr.write("Nothing was changed.\n");
  return false;
}
