const TYPES: readonly (readonly [sqlite: RegExp, postgres: string])[] = [
  [/^integer PRIMARY KEY AUTOINCREMENT\b/, "bigint PRIMARY KEY"],
  [/^integer\b/, "bigint"],
  [/^text\b/, 'text COLLATE "C"'],
  [/^real\b/, "double precision"],
  [/^blob\b/, "bytea"],
];

/**
 * Translates a SQLite migration to PostgreSQL. Foreign keys are added last, since tables reference
 * later ones, and are deferrable, which imports need.
 */
export function toPostgres(script: string): string {
  const references: string[] = [];
  const statements = script
    .split("--> statement-breakpoint")
    .map((statement) => statement.replaceAll("`", '"').trim())
    .map((statement) => translate(statement, references));
  return `${[...statements, ...references].join("\n")}\n`;
}

function isChangeOfRows(statement: string): boolean {
  return /^(--[^\n]*\n)*\s*INSERT /.test(statement);
}

function translate(statement: string, references: string[]): string {
  if (/^(CREATE (UNIQUE )?INDEX|DROP INDEX) /.test(statement)) return statement;
  if (isChangeOfRows(statement)) return statement;
  const added = /^(ALTER TABLE "\w+" ADD )("\w+") (.*)$/s.exec(statement);
  if (added !== null) return `${added[1]}${added[2]} ${translateType(added[3] ?? "")}`;
  const table = /^CREATE TABLE ("\w+") \(\n(.*)\n\);$/s.exec(statement);
  if (table === null)
    throw new Error(`No translation to PostgreSQL; write this migration by hand: ${statement}`);
  const [, name = "", body = ""] = table;
  const lines = body.split(",\n").flatMap((line) => {
    const text = line.trim();
    if (text.startsWith("FOREIGN KEY")) {
      references.push(
        `ALTER TABLE ${name} ADD ${text.replace(/ ON UPDATE no action ON DELETE no action$/, "")} DEFERRABLE;`,
      );
      return [];
    }
    return [`\t${translateLine(text)}`];
  });
  return `CREATE TABLE ${name} (\n${lines.join(",\n")}\n);`;
}

function translateLine(line: string): string {
  const column = /^("\w+") (.*)$/.exec(line);
  return column === null ? line : `${column[1]} ${translateType(column[2] ?? "")}`;
}

function translateType(definition: string): string {
  const type = TYPES.find(([pattern]) => pattern.test(definition));
  if (type === undefined) throw new Error(`No PostgreSQL type for ${definition}`);
  return definition.replace(type[0], type[1]).replace(/\bDEFAULT false\b/, "DEFAULT 0");
}
