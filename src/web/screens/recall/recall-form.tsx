import { useEffect, useRef } from "preact/hooks";
import { Narrowing } from "../../components/narrowing.tsx";
import { usePage } from "../../page.ts";
import { NARROWING } from "./recall-query.ts";

const FIELDS = [
  { name: "k", title: "Concepts", placeholder: "3", mode: "numeric" },
  { name: "episodes", title: "Episodes", placeholder: "5", mode: "numeric" },
  { name: "chars", title: "Characters", placeholder: "6000", mode: "numeric" },
  { name: "as_of", title: "As of", placeholder: "now, or 2026-03-31", mode: "text" },
  { name: "known_at", title: "Known on", placeholder: "now, or 2026-03-31", mode: "text" },
  { name: "entity", title: "About", placeholder: "tool:gateway", mode: "text" },
] as const;

export function RecallForm() {
  const { router } = usePage();
  const { query } = router.place.value;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current !== null) field.current.value = query.q ?? "";
    if (!query.q) field.current?.focus();
  }, [query.q]);
  const ask = (form: HTMLFormElement) => {
    const change = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]),
    );
    router.setQuery({ ...change, why: "" }, "push");
  };
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        ask(event.currentTarget);
      }}
    >
      <div class="search">
        <input
          ref={field}
          name="q"
          type="search"
          aria-label="What an agent would ask"
          placeholder="What an agent would ask: when do we deploy?"
          defaultValue={query.q ?? ""}
        />
        <button type="submit" class="button primary">
          Recall
        </button>
      </div>
      <div class="recall-options">
        {FIELDS.map(({ name, title, placeholder, mode }) => (
          <label key={name} class="field">
            {title}
            <input
              name={name}
              inputMode={mode}
              placeholder={placeholder}
              defaultValue={query[name] ?? ""}
            />
          </label>
        ))}
        <label class="field">
          Compare with
          <input name="vs" placeholder="a date, or db:name" defaultValue={query.vs ?? ""} />
        </label>
      </div>
      <Narrowing filters={NARROWING} query={query} />
    </form>
  );
}
