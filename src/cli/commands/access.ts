import type { RoleHolder, RoleRecord, Roles } from "../../access/index.ts";
import { ACCESS_SCOPES, type AccessScope } from "../../kernel/caller.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { parseList } from "../../kernel/lists.ts";
import { didYouMean } from "../../kernel/nearest.ts";
import type { CliCommand } from "../cli-command.ts";
import { withApp } from "../open-app.ts";

interface Answer {
  readonly output: object;
  readonly text: string;
}

/** What the flags say. */
interface Given {
  readonly holders: readonly RoleHolder[];
  readonly role: AccessScope | undefined;
  readonly databases: readonly string[] | undefined;
}

const ACTIONS: Readonly<
  Record<string, { usage: string; run(roles: Roles, given: Given): Promise<Answer> }>
> = {
  grant: {
    usage: `grant (--person NAME|--group NAME|--agent NAME|--everyone) --role ${ACCESS_SCOPES.join("|")} [--in A,B]`,
    async run(roles, { holders, role, databases }) {
      if (role === undefined) {
        throw invalidInput(`--role: must be one of ${ACCESS_SCOPES.join(", ")}`);
      }
      const record = await roles.grant(onlyOne(holders), role, databases);
      return { output: record, text: tellRecord(record) };
    },
  },
  revoke: {
    usage: "revoke (--person NAME|--group NAME|--agent NAME|--everyone) [--in A,B]",
    async run(roles, { holders, databases }) {
      const holder = onlyOne(holders);
      await roles.revoke(holder, databases);
      const where = databases === undefined ? "" : ` in ${databases.join(", ")}`;
      return { output: { ...holder }, text: `Revoked what ${tell(holder)} could do${where}.` };
    },
  },
  list: {
    usage: "list",
    async run(roles) {
      const list = await roles.list();
      const none = "Nobody has a role. `cairn access grant --group NAME --role write` gives one.";
      const text = list.length === 0 ? none : list.map(tellRecord).join("\n");
      return { output: { roles: list }, text };
    },
  },
};

const NAMES = Object.keys(ACTIONS);

/** Roles of people, groups and agents. Servers know of a change within a second. */
export const access: CliCommand = {
  name: "access",
  reader: "person",
  summary: "Say which people, groups and agents have which role in which database",
  group: "Servers",
  example:
    "cairn access grant --group dev --role write --in shop,docs\ncairn access grant --everyone --role admin --in @own\ncairn access list\ncairn access revoke --group dev --in docs",
  configure(command) {
    command
      .argument("<action>", NAMES.join(", "))
      .option("--person <name>", "who logs in under this name")
      .option("--group <name>", "all who are in this group")
      .option("--agent <name>", "a program that exchanges the token of its own company")
      .option("--everyone", "each person who logs in")
      .option("--role <role>", `grant: ${ACCESS_SCOPES.join(", ")}`)
      .option("--in <databases>", "only in these, e.g. shop,docs; @own is each person's own");
  },
  run(line, [name = "", ...words], options) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) {
      throw invalidInput(`access: there is no action "${name}".${didYouMean(name, NAMES)}`);
    }
    if (words.length > 0) throw invalidInput(`access ${name}: write cairn access ${action.usage}`);
    const given = readFlags(options);
    return withApp(line, options, async (app) => {
      const { Roles } = await import("../../access/index.ts");
      const { output, text } = await action.run(new Roles(app.store.records), given);
      line.stdout.write(options.json === true ? `${JSON.stringify(output)}\n` : `${text}\n`);
      return undefined;
    });
  },
};

function readFlags(options: Readonly<Record<string, unknown>>): Given {
  const { role: given, in: listed } = options;
  const role = ACCESS_SCOPES.find((known) => known === given);
  if (given !== undefined && role === undefined) {
    throw invalidInput(`--role: must be one of ${ACCESS_SCOPES.join(", ")}`);
  }
  const named = (["person", "group", "agent"] as const).flatMap((kind) => {
    const name = options[kind];
    return typeof name === "string" ? [{ kind, name }] : [];
  });
  const everyone = options.everyone === true ? [{ kind: "everyone" as const, name: "" }] : [];
  const databases = typeof listed === "string" ? parseList(listed, "--in") : undefined;
  return { holders: [...named, ...everyone], role, databases };
}

function onlyOne(holders: readonly RoleHolder[]): RoleHolder {
  const [holder] = holders;
  if (holder !== undefined && holders.length === 1) return holder;
  throw invalidInput(
    "Say who it is for, once: --person NAME, --group NAME, --agent NAME or --everyone",
  );
}

function tell({ kind, name }: RoleHolder): string {
  return kind === "everyone" ? "everyone" : `${kind} ${name}`;
}

function tellRecord(record: RoleRecord): string {
  const roles = Object.entries(record.roles).map(([database, role]) =>
    database === "*" ? `${role} everywhere` : `${role} in ${database}`,
  );
  return `${tell(record)}: ${roles.join(", ")}`;
}
