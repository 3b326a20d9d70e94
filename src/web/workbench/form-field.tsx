import { SuggestField } from "../components/suggest-field.tsx";
import type { FormField as Field } from "./operation-form.ts";

interface FormFieldProps {
  readonly field: Field;
  readonly value: string;
  onInput(text: string): void;
}

const COMPLETED = {
  entities: "entity",
  labels: "label",
  topic: "topic",
  topic_id: "topic",
  asserted_by: "author",
  resolved_by: "author",
} as const;

const BY_ID = {
  fact: "fact",
  concept: "concept",
  entity: "entity",
  topic: "topic",
} as const;

const TITLES: Readonly<Record<string, string>> = {
  asserted_by: "Author",
  decided_by: "Author",
  resolved_by: "Author",
  concept_id: "Concept",
  conflict_id: "Conflict",
  episode_id: "Episode",
  episode_type: "Type",
  fact_a: "First statement",
  fact_b: "Second statement",
  metadata: "Metadata (JSON)",
  occurred_at: "Date",
  plan_id: "Plan",
  source_ref: "Source link",
  spec_ids: "Specs",
  winning_fact_id: "Fact to keep",
};

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Form field of an operation, by its schema. */
export function FormField({ field, value, onInput }: FormFieldProps) {
  const { name, kind, names, about } = field;
  const label = TITLES[name] ?? capitalize(name.replaceAll("_", " "));
  const suggests = getSuggestions(name, names);
  if (suggests !== undefined) {
    return (
      <div class="form-field">
        <SuggestField
          kind={suggests}
          label={label}
          value={value}
          isList={kind === "list" || kind === "textList"}
          onInput={onInput}
        />
        {about !== undefined && <span class="quiet about">{about}</span>}
      </div>
    );
  }
  return (
    <div class="form-field">
      <label for={`field-${name}`}>{label}</label>
      <Control field={field} value={value} onInput={onInput} />
      {about !== undefined && <span class="quiet about">{about}</span>}
    </div>
  );
}

function Control({ field, value, onInput }: FormFieldProps) {
  const { name, kind, choices, isLong, isRequired } = field;
  const shared = {
    id: `field-${name}`,
    required: isRequired === true,
    value,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      onInput(event.currentTarget.value),
  };
  if (isLong) return <textarea {...shared} rows={3} dir="auto" />;
  if (choices === undefined && kind !== "boolean") {
    const isNumber = kind === "number" || kind === "integer";
    return <input {...shared} inputMode={isNumber ? "decimal" : "text"} />;
  }
  return (
    <select {...shared}>
      {(!isRequired || value === "") && (
        <option value="">{isRequired ? "choose" : "as it is"}</option>
      )}
      {(choices ?? ["true", "false"]).map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}

function getSuggestions(name: string, names: string | undefined) {
  if (names !== undefined && names in BY_ID) return BY_ID[names as keyof typeof BY_ID];
  return name in COMPLETED ? COMPLETED[name as keyof typeof COMPLETED] : undefined;
}
