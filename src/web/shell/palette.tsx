import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Keys } from "../components/keys.tsx";
import { Stored } from "../components/stored.tsx";
import { useQuestion } from "../data/use-question.ts";
import { usePage } from "../page.ts";
import { Dialog } from "./dialog.tsx";

interface Choice {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  readonly keys?: readonly string[] | undefined;
  run(): void;
}

/** Everything by its name: actions, items, entities, topics, labels, or a question. */
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
    <Dialog title="Do anything" class="palette" isBare onClose={onClose}>
      <input
        ref={field}
        class="palette-field"
        role="combobox"
        aria-label="An action, an id, an entity, or words to find"
        aria-expanded="true"
        aria-controls="palette-choices"
        aria-activedescendant={chosen === undefined ? undefined : `choice-${chosen.key}`}
        placeholder="An action, an id, an entity, or words to find"
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
      <div id="palette-choices" class="choices" role="listbox" aria-label="Choices">
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
            {choice.keys !== undefined && <Keys of={choice.keys} />}
          </div>
        ))}
      </div>
    </Dialog>
  );
}

const MAX_ACTIONS = 9;

function useChoices(text: string): Choice[] {
  const page = usePage();
  const { actions, router } = page;
  const prefix = text.trim();
  const all = actions.all.value;
  const targets = actions.targets.value;
  const found = useQuestion("suggest", { prefix, limit: 12 }, { when: prefix.length > 0 });
  return useMemo(() => {
    const words = prefix.toLowerCase().split(/\s+/);
    const matching = actions
      .possible(page, targets)
      .filter(
        ({ id, title, about = "" }) =>
          id !== "palette" &&
          words.every((word) => `${title} ${about}`.toLowerCase().includes(word)),
      )
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
      run: go(addressOf(value, kind)),
    }));
    function addressOf(value: string, kind: string): string {
      if (kind === "conflict") return router.href({ screen: "inbox", query: { conflict: value } });
      const facet = { topic: "topic", label: "labels", author: "by", session: "session" }[kind];
      if (facet !== undefined) return router.href({ screen: "find", query: { [facet]: value } });
      return router.href({ screen: "item", id: value });
    }
    return [
      ...matching,
      ...items,
      {
        key: "find",
        title: `Find “${prefix}”`,
        detail: "all that hold these words",
        run: go(router.href({ screen: "find", query: { q: prefix } })),
      },
      {
        key: "recall",
        title: `Recall “${prefix}”`,
        detail: "ranked, as an agent gets it",
        run: go(router.href({ screen: "recall", query: { q: prefix } })),
      },
    ];
  }, [prefix, found.output, all, targets, actions, page, router]);
}

function describe(ids: readonly string[]): string {
  return ids.length > 3 ? `${ids.length} items` : ids.join(" ");
}
