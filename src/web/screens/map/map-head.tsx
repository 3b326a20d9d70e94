import { SuggestField } from "../../components/suggest-field.tsx";
import { usePage } from "../../page.ts";
import { type MapQuery, NODES } from "./map-query.ts";

interface MapHeadProps {
  readonly query: MapQuery;
  readonly wanted: string;
  onInput(wanted: string): void;
}

export function MapHead({ query, wanted, onInput }: MapHeadProps) {
  const { router } = usePage();
  const { depth, most, kinds, isTable } = query;
  return (
    <div class="find-head">
      <h1 class="unseen">Map</h1>
      <form
        class="map-center"
        onSubmit={(event) => {
          event.preventDefault();
          router.setQuery({ center: wanted.trim(), sel: wanted.trim() }, "push");
        }}
      >
        <SuggestField
          kind="entity"
          label="Around (an entity, ep:3, a concept); empty for what is strongest"
          value={wanted}
          onInput={onInput}
        />
      </form>
      <Choice label="Depth" name="depth" value={String(depth)} options={DEPTHS} />
      <Choice label="Nodes" name="nodes" value={String(most)} options={COUNTS} />
      <Choice label="Show" name="kinds" value={kinds.join(",")} options={KINDS} />
      <button
        type="button"
        class="button"
        onClick={() => router.setQuery({ view: isTable ? "" : "table" }, "push")}
      >
        {isTable ? "As a picture" : "As a table"}
      </button>
    </div>
  );
}

type Options = readonly (readonly [value: string, shown: string])[];

const DEPTHS: Options = [
  ["1", "1"],
  ["2", "2"],
  ["3", "3"],
];

const COUNTS: Options = NODES.map((count) => [String(count), count.toLocaleString("en")]);

const KINDS: Options = [
  ["", "everything"],
  ["concept", "concepts"],
  ["concept,episode", "concepts and episodes"],
  ["concept,entity", "concepts and entities"],
  ["entity", "entities"],
];

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly options: Options;
}

function Choice({ label, name, value, options }: ChoiceProps) {
  const { router } = usePage();
  return (
    <label class="field">
      {label}
      <select
        value={value}
        onChange={({ currentTarget }) => router.setQuery({ [name]: currentTarget.value }, "push")}
      >
        {options.map(([one, shown]) => (
          <option key={one} value={one}>
            {shown}
          </option>
        ))}
      </select>
    </label>
  );
}
