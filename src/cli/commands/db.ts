import type { App } from "../../app/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { requireExisting, withApp } from "../command-line.ts";
import { embedStoredItems } from "../embed-stored-items.ts";
import { withProgress } from "../render/progress.ts";
import { databases } from "./databases.ts";

interface Action {
  readonly usage: string;
  readonly minArgs: number;
  readonly maxArgs: number;
  run(at: ActionContext): Promise<Answer>;
}

interface ActionContext {
  readonly app: App;
  readonly line: CommandLine;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly output: object;
  readonly text: string;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  create: {
    usage: "create NAME",
    minArgs: 1,
    maxArgs: 1,
    async run({ app, words: [name = ""] }) {
      await app.store.create(name);
      return { output: { name }, text: `Created the database ${name}.` };
    },
  },
  rename: {
    usage: "rename NAME TO",
    minArgs: 2,
    maxArgs: 2,
    async run({ app, words: [name = "", to = ""] }) {
      await app.store.rename(name, to);
      return { output: { name: to, renamed_from: name }, text: `Renamed ${name} to ${to}.` };
    },
  },
  copy: {
    usage: "copy NAME TO",
    minArgs: 2,
    maxArgs: 2,
    async run({ app, line, words: [name = "", to = ""], options }) {
      const target = options.to;
      if (typeof target === "string") return copyToTarget({ app, line, name, to, target: target });
      await app.store.copy(name, to);
      return { output: { name: to, copied_from: name }, text: `Copied ${name} to ${to}.` };
    },
  },
  delete: {
    usage: "delete NAME",
    minArgs: 1,
    maxArgs: 1,
    async run({ app, words: [name = ""] }) {
      const trashed = await app.store.remove(name);
      const back = `cairn db restore ${trashed.id}`;
      return {
        output: trashed,
        text: `Moved ${name} to the bin. ${back} restores it.`,
      };
    },
  },
  bin: {
    usage: "bin",
    minArgs: 0,
    maxArgs: 0,
    async run({ app }) {
      const trashed = await app.store.bin();
      const rows = trashed.map(({ id, deleted_at: at }) => `${id}  deleted ${at.slice(0, 16)}Z`);
      return {
        output: { databases: trashed },
        text: rows.length === 0 ? "The bin is empty." : rows.join("\n"),
      };
    },
  },
  restore: {
    usage: "restore ID [TO]",
    minArgs: 1,
    maxArgs: 2,
    async run({ app, words: [id = "", to] }) {
      const name = await app.store.restore(id, to);
      return { output: { name }, text: `Restored ${name}.` };
    },
  },
  backup: {
    usage: "backup NAME [FILE]",
    minArgs: 1,
    maxArgs: 2,
    async run({ app, line, words: [name = "", file] }) {
      const { resolve } = await import("node:path");
      const day = new Date().toISOString().slice(0, 10);
      const path = resolve(line.cwd, file ?? `${name}-${day}.db`);
      await app.store.backup(name, path);
      return {
        output: { name, file: path },
        text: `Backed up ${name} to ${path}. To use it, copy it into the data directory as a database.`,
      };
    },
  },
  adopt: {
    usage: "adopt [NAME]",
    minArgs: 0,
    maxArgs: 1,
    async run({ app, line, words: [name], options }) {
      const { adopt } = await import("../db/adopt.ts");
      const adopted = await adopt({ app, line, name, yes: options.yes === true });
      const { folder, agreement } = adopted;
      const same = agreement.length === 0 ? "" : ` (same ${agreement.join(" and ")})`;
      return { output: adopted, text: `${folder} now uses the database ${adopted.name}${same}.` };
    },
  },
};

async function requireExistingDatabase(app: App, name: string) {
  const memory = app.store.open(name);
  await requireExisting(memory);
  return memory;
}

interface CopyToTarget extends Pick<ActionContext, "app" | "line"> {
  readonly name: string;
  readonly to: string;
  readonly target: string;
}

async function copyToTarget({ app, line, name, to, target }: CopyToTarget): Promise<Answer> {
  const from = await requireExistingDatabase(app, name);
  const [{ resolve }, { openDatabaseBackend: openPlace }, { copyMemory, isDatabaseName }] =
    await Promise.all([
      import("node:path"),
      import("../../database/index.ts"),
      import("../../memory/index.ts"),
    ]);
  const isServer = /^postgres(ql)?:/i.test(target);
  const folder = resolve(line.cwd, target);
  const address = isServer ? target : undefined;
  const { postgres } = app.config.settings;
  const destination = app.store.withBackend(
    openPlace({ folder, address, postgres, isName: isDatabaseName }),
  );
  try {
    const into = destination.open(to);
    const rows = await withProgress(line, (onProgress) =>
      copyMemory(from, into, { signal: line.signal, onProgress }),
    );
    await embedStoredItems(line, into, "The copy is complete");
    const where = isServer ? "the server" : target;
    return {
      output: { name: to, copied_from: name, rows },
      text: `Copied ${name} to ${to} in ${where}: ${rows} rows.`,
    };
  } finally {
    await destination.close();
  }
}

const ACTION_NAMES = ["list", ...Object.keys(ACTIONS)];

export const db: CliCommand = {
  name: "db",
  reader: "person",
  summary: "List, create, rename, copy, delete, back up and adopt databases",
  group: "Upkeep",
  example:
    "cairn db list\ncairn db copy shop shop-before\ncairn db copy shop shop --to postgres://ada@db.example.org/cairn\ncairn db delete old\ncairn db adopt",
  interruptible: true,
  configure(command) {
    command
      .argument("[action]", `${ACTION_NAMES.join(", ")} (default: list)`)
      .argument("[names...]", "names of databases")
      .option("--to <place>", "copy: into another folder, or to postgres://…")
      .option("-y, --yes", "adopt: skip the confirmation");
  },
  run(line, [name = "list", ...words], options) {
    if (name === "list") return databases.run(line, words, options);
    if (name === "diff" || name === "merge") {
      throw invalidInput(`\`cairn db ${name}\` was removed in 0.2.0. Use instead: cairn sync`);
    }
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) {
      throw invalidInput(`db: there is no action "${name}".${didYouMean(name, ACTION_NAMES)}`);
    }
    if (options.to !== undefined && name !== "copy") {
      throw invalidInput("--to: is for cairn db copy NAME TO");
    }
    if (options.yes !== undefined && name !== "adopt") {
      throw invalidInput("--yes: is for cairn db adopt");
    }
    if (words.length < action.minArgs || words.length > action.maxArgs) {
      throw invalidInput(`db ${name}: use cairn db ${action.usage}`);
    }
    return withApp(line, options, async (app) => {
      const { output, text } = await action.run({ app, line, words, options });
      line.stdout.write(options.json === true ? `${JSON.stringify(output)}\n` : `${text}\n`);
      return undefined;
    });
  },
};
