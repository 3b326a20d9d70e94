import type { LoginList } from "../../access/identity/index.ts";
import type { RoleHolder, RoleRecord, Roles } from "../../access/index.ts";
import { type AccessScope, MEMORY_SCOPES } from "../../shared/caller.ts";
import { invalidInput } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { parseList } from "../../shared/parse-field.ts";
import type { CliCommand } from "../cli-command.ts";
import { withApp } from "../command-line.ts";

interface Answer {
  readonly output: object;
  readonly text: string;
}

interface AccessArguments {
  readonly holders: readonly RoleHolder[];
  readonly role: AccessScope | undefined;
  readonly databases: readonly string[] | undefined;
}

interface Stores {
  readonly roles: Roles;
  readonly loggedIn: LoginList;
}

interface Action {
  readonly usage: string;
  run(stores: Stores, input: AccessArguments): Promise<Answer>;
}

const HOLDER_USAGE = "(--person NAME|--group NAME|--everyone)";

const ACTIONS: Readonly<Record<string, Action>> = {
  grant: {
    usage: `grant ${HOLDER_USAGE} --role ${MEMORY_SCOPES.join("|")} [--in A,B]`,
    async run({ roles }, { holders, role, databases }) {
      if (role === undefined) {
        throw invalidInput(`--role: must be one of ${MEMORY_SCOPES.join(", ")}`);
      }
      const record = await roles.grant(requireSingle(holders), role, databases);
      return { output: record, text: printRecord(record) };
    },
  },
  revoke: {
    usage: `revoke ${HOLDER_USAGE} [--in A,B]`,
    async run({ roles }, { holders, databases }) {
      const holder = requireSingle(holders);
      await roles.revoke(holder, databases);
      const where = databases === undefined ? "" : ` in ${databases.join(", ")}`;
      return {
        output: { ...holder },
        text: `Revoked the roles of ${describeHolder(holder)}${where}.`,
      };
    },
  },
  list: {
    usage: "list",
    async run({ roles }) {
      const list = await roles.list();
      const emptyNotice =
        "No roles are granted. `cairn access grant --group NAME --role write` grants one.";
      const text = list.length === 0 ? emptyNotice : list.map(printRecord).join("\n");
      return { output: { roles: list }, text };
    },
  },
  people: {
    usage: "people",
    async run({ loggedIn }) {
      const { people: list } = await loggedIn.shown(undefined);
      const lines = list.map(({ name, active, log_ins: by }) =>
        [name, active ? [] : "has left", by.length === 0 ? [] : `logged in with ${by.join(", ")}`]
          .flat()
          .join("  "),
      );
      return { output: { people: list }, text: lines.join("\n") || "Nobody has logged in yet." };
    },
  },
  end: {
    usage: "end --person NAME",
    async run({ loggedIn }, { holders }) {
      const output = await loggedIn.end(requireSingle(holders, "person").name);
      return { output, text: `Ended ${output.ended} logins of ${output.name}.` };
    },
  },
};

const ACTION_NAMES = Object.keys(ACTIONS);

export const access: CliCommand = {
  name: "access",
  reader: "person",
  summary: "Manage roles of users and groups per database",
  group: "Servers",
  example:
    "cairn access grant --group dev --role write --in shop,docs\ncairn access grant --everyone --role admin --in @own\ncairn access list\ncairn access revoke --group dev --in docs\ncairn access people\ncairn access end --person ada@example.org",
  configure(command) {
    command
      .argument("<action>", ACTION_NAMES.join(", "))
      .option("--person <name>", "user with this name")
      .option("--group <name>", "all members of this group")
      .option("--everyone", "every user who logs in")
      .option("--role <role>", `grant: ${MEMORY_SCOPES.join(", ")}`)
      .option(
        "--in <databases>",
        "only in these databases, e.g. shop,docs; @own is each user's own",
      );
  },
  run(line, [name = "", ...words], options) {
    if (name === "trust" || name === "distrust") {
      throw invalidInput(
        `\`cairn access ${name}\` was removed in 0.2.0. Use instead: cairn token create NAME --scope propose --databases NAMES --expires 90d`,
      );
    }
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) {
      throw invalidInput(`access: there is no action "${name}".${didYouMean(name, ACTION_NAMES)}`);
    }
    if (words.length > 0) throw invalidInput(`access ${name}: use cairn access ${action.usage}`);
    const input = readFlags(options);
    return withApp(line, options, async (app) => {
      const { Roles } = await import("../../access/index.ts");
      const { LoginList, People, Sessions } = await import("../../access/identity/index.ts");
      const { records, tokens } = app.store;
      const stores = {
        roles: new Roles(records),
        loggedIn: new LoginList(new People(records, tokens), new Sessions(records)),
      };
      const { output, text } = await action.run(stores, input);
      line.stdout.write(options.json === true ? `${JSON.stringify(output)}\n` : `${text}\n`);
      return undefined;
    });
  },
};

function readFlags(options: Readonly<Record<string, unknown>>): AccessArguments {
  const { role: input, in: listed } = options;
  const role = MEMORY_SCOPES.find((known) => known === input);
  if (input !== undefined && role === undefined) {
    throw invalidInput(`--role: must be one of ${MEMORY_SCOPES.join(", ")}`);
  }
  const named = (["person", "group"] as const).flatMap((kind) => {
    const name = options[kind];
    return typeof name === "string" ? [{ kind, name }] : [];
  });
  const everyone = options.everyone === true ? [{ kind: "everyone" as const, name: "" }] : [];
  const databases = typeof listed === "string" ? parseList(listed, "--in") : undefined;
  return {
    holders: [...named, ...everyone],
    role,
    databases,
  };
}

function requireSingle(holders: readonly RoleHolder[], kind?: RoleHolder["kind"]): RoleHolder {
  const [holder] = holders;
  if (kind !== undefined && (holder?.kind !== kind || holders.length > 1)) {
    throw invalidInput(`--${kind}: is missing; name the ${kind}`);
  }
  if (holder !== undefined && holders.length === 1) return holder;
  throw invalidInput("Give exactly one of --person NAME, --group NAME or --everyone");
}

function describeHolder({ kind, name }: RoleHolder): string {
  return kind === "everyone" ? "everyone" : `${kind} ${name}`;
}

function printRecord(record: RoleRecord): string {
  const roles = Object.entries(record.roles).map(([database, role]) =>
    database === "*" ? `${role} everywhere` : `${role} in ${database}`,
  );
  return `${describeHolder(record)}: ${roles.join(", ")}`;
}
