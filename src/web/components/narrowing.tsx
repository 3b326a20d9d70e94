import type { ComponentChildren } from "preact";
import type { PageFilter } from "../data/page-filter.ts";

interface NarrowingProps {
  readonly filters: readonly PageFilter[];
  readonly query: Readonly<Record<string, string>>;
  readonly title?: string;
  /** Further fields, before those of the filters. */
  readonly fields?: readonly Field[];
  readonly children?: ComponentChildren;
}

interface Field {
  readonly name: string;
  readonly title: string;
  readonly placeholder: string;
  readonly mode?: "numeric" | "text";
}

/** Folded fields of a query; open if one is set. */
export function Narrowing({
  filters,
  query,
  title = "More filters",
  fields = [],
  children,
}: NarrowingProps) {
  const isProvided = [...fields, ...filters].some(({ name }) => query[name]);
  return (
    <details open={isProvided}>
      <summary>{title}</summary>
      <div class="recall-options">
        {fields.map((field) => (
          <label key={field.name} class="field">
            {field.title}
            <input
              name={field.name}
              inputMode={field.mode}
              placeholder={field.placeholder}
              defaultValue={query[field.name] ?? ""}
            />
          </label>
        ))}
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
