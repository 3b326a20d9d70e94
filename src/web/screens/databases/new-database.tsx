import { useState } from "preact/hooks";

/** A form for the name of a new database; `make` answers whether it was made. */
export function NewDatabase({ make }: { make(name: string): Promise<boolean> }) {
  const [name, setName] = useState("");
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = name.trim();
        if (wanted === "") return;
        void make(wanted).then((isMade) => {
          if (isMade) setName("");
        });
      }}
    >
      <label class="field">
        New database
        <input
          value={name}
          placeholder="letters, digits, dots, hyphens"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button">
        Make it
      </button>
    </form>
  );
}
