import { useState } from "preact/hooks";
import { usePage } from "../../page.ts";
import type { DatabaseWork } from "./use-database-work.ts";

interface NameDatabaseProps {
  readonly name: string;
  readonly path: string;
  readonly work: DatabaseWork;
}

export function NameDatabase({ name, path, work }: NameDatabaseProps) {
  const { client } = usePage();
  const [to, setTo] = useState("");
  const isBlank = to.trim() === "";
  const named = (what: "rename" | "copy") =>
    work.run(async () => {
      await client.send(`${path}/${what}`, { method: "POST", body: { to: to.trim() } });
      setTo("");
      return what === "copy" ? `Copied ${name} to ${to}.` : `${name} is called ${to} now.`;
    });
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBlank) named("copy");
      }}
    >
      <label class="field">
        Another name
        <input value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
      </label>
      <button type="submit" class="button" disabled={work.isBusy || isBlank}>
        Copy
      </button>
      <button
        type="button"
        class="button"
        disabled={work.isBusy || isBlank}
        onClick={() => named("rename")}
      >
        Rename
      </button>
    </form>
  );
}
