import { useEffect, useRef, useState } from "preact/hooks";
import { Keys } from "../components/keys.tsx";
import { Stored } from "../components/stored.tsx";
import { useQuery } from "../data/use-query.ts";
import { useDatabaseNames } from "../data/use-request.ts";
import { usePage } from "../page.ts";
import { Dialog } from "./dialog.tsx";
import { fuzzyScore } from "./fuzzy-score.ts";

interface Choice {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  readonly keys?: readonly string[] | undefined;
  run(): void;
}

/** Command palette: actions, items, entities, topics, labels, or a query. */
export function Palette({ onClose }: { onClose(): void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const choices = useChoices(text);
  const chosen = choices[Math.min(at, choices.length - 1)];
  const choose = (choice: Choice | undefined) => {
    onClose();
    choice?.run();
  };
  return (
    <Dialog title="Command palette" class="palette" isBare onClose={onClose}>
      <input
        ref={field}
        class="palette-field"
        role="combobox"
        aria-label="Search or run a command"
        aria-expanded="true"
        aria-controls="palette-choices"
        aria-activedescendant={chosen === undefined ? undefined : `choice-${chosen.key}`}
        placeholder="Search or run a command"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined) {
            event.preventDefault();
            setAt(Math.max(0, Math.min(choices.length - 1, at + step)));
          }
          if (event.key === "Enter") {
            event.preventDefault();
            choose(chosen);
          }
        }}
      />
      <div id="palette-choices" class="choices" role="listbox" aria-label="Results">
        {choices.map((choice) => (
          <div
            key={choice.key}
            id={`choice-${choice.key}`}
            class="choice"
            role="option"
            aria-selected={choice === chosen}
            onClick={() => choose(choice)}
          >
            <Stored as="span" class="choice-title" text={choice.title} />
            <Stored as="span" class="quiet choice-detail" text={choice.detail} />
            {choice.keys !== undefined && <Keys keys={choice.keys} />}
          </div>
        ))}
      </div>
    </Dialog>
  );
}

const MAX_ACTIONS = 9;
const MAX_PLACES = 4;

/** Ranks the choices whose text contains the letters of the query in order. */
function best<One>(all: readonly One[], query: string, getText: (one: One) => string): One[] {
  return all
    .map((one) => ({ one, score: fuzzyScore(query, getText(one)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ one }) => one);
}

function useChoices(text: string): Choice[] {
  const page = usePage();
  const { actions, router } = page;
  const prefix = text.trim();
  const targets = actions.targets.value;
  const threads = page.agent.connection.value?.threads.value ?? [];
  const databases = useDatabaseNames();
  const found = useQuery("suggest", { prefix, limit: 12 }, { when: prefix.length > 0 });
  const possible = actions.possible(page, targets).filter(({ id }) => id !== "palette");
  const matching = best(possible, prefix, ({ title, about = "" }) => `${title} ${about}`)
    .slice(0, prefix === "" ? 80 : MAX_ACTIONS)
    .map((action) => ({
      key: action.id,
      title: action.title,
      detail: action.about ?? (action.group === "Items" ? describe(targets.ids) : action.group),
      keys: action.keys,
      run: () => actions.run(action, page),
    }));
  const go = (address: string) => () => router.go(address);
  if (prefix === "") return matching;
  const items = (found.output?.suggestions ?? []).map(({ value, kind, detail }) => ({
    key: `${kind}-${value}`,
    title: value,
    detail: `${kind} · ${detail}`,
    run: go(getAddress(value, kind)),
  }));
  function getAddress(value: string, kind: string): string {
    if (kind === "conflict") return router.href({ screen: "inbox", query: { conflict: value } });
    const facet = { topic: "topic", label: "labels", author: "by", session: "session" }[kind];
    if (facet !== undefined) return router.href({ screen: "find", query: { [facet]: value } });
    return router.href({ screen: "item", id: value });
  }
  const threadChoices = best(threads, prefix, ({ title = "" }) => title)
    .slice(0, MAX_PLACES)
    .map(({ threadId, title = threadId }) => ({
      key: `thread-${threadId}`,
      title,
      detail: "Thread",
      run: go(router.href({ screen: "agent", id: threadId })),
    }));
  const databaseChoices = best(databases, prefix, (name) => name)
    .slice(0, MAX_PLACES)
    .map((db) => ({
      key: `database-${db}`,
      title: db,
      detail: "Database",
      run: go(router.href({ screen: "home", db })),
    }));
  return [
    ...matching,
    ...databaseChoices,
    ...threadChoices,
    ...items,
    {
      key: "find",
      title: `Search “${prefix}”`,
      detail: "Show in the list",
      run: go(router.href({ screen: "find", query: { q: prefix } })),
    },
    {
      key: "recall",
      title: `Recall “${prefix}”`,
      detail: "Ranked as for an agent",
      run: go(router.href({ screen: "recall", query: { q: prefix } })),
    },
  ];
}

function describe(ids: readonly string[]): string {
  return ids.length > 3 ? `${ids.length} items` : ids.join(" ");
}
