import type { ComponentChildren } from "preact";
import type { PageFilter } from "../data/narrowing.ts";

interface NarrowingProps {
  readonly filters: readonly PageFilter[];
  readonly query: Readonly<Record<string, string>>;
  readonly children?: ComponentChildren;
}

export function Narrowing({ filters, query, children }: NarrowingProps) {
  const isProvided = filters.some(({ name }) => query[name]);
  return (
    <details open={isProvided}>
      <summary>More filters</summary>
      <div class="recall-options">
        {filters.map(({ name, kind, says }) => (
          <label key={name} class="field" title={says}>
            {name.replaceAll("_", " ")}
            <input
              name={name}
              placeholder={kind === "boolean" ? "true or false" : ""}
              defaultValue={query[name] ?? ""}
            />
          </label>
        ))}
      </div>
      {children}
    </details>
  );
}
