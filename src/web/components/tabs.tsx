import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

export interface Tab {
  readonly name: string;
  readonly title: string;
  body(): ComponentChildren;
}

interface TabsProps {
  readonly label: string;
  readonly of: readonly Tab[];
  readonly chosen: string | undefined;
  onChoose(name: string): void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Tabs with one tab stop; arrow keys move between them. */
export function Tabs({ label, of, chosen, onChoose }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const shown = of.find(({ name }) => name === chosen) ?? of[0];
  const go = (index: number) => {
    const next = of[(index + of.length) % of.length];
    if (next === undefined) return;
    onChoose(next.name);
    list.current?.querySelector<HTMLElement>(`#tab-${next.name}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list}>
        {of.map(({ name, title }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-controls="tab-body"
            aria-selected={name === shown?.name}
            tabIndex={name === shown?.name ? 0 : -1}
            onClick={() => onChoose(name)}
            onKeyDown={(event) => {
              const step = STEPS[event.key];
              if (step === undefined && event.key !== "Home" && event.key !== "End") return;
              event.preventDefault();
              go(step === undefined ? (event.key === "Home" ? 0 : -1) : index + step);
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div id="tab-body" role="tabpanel" aria-labelledby={`tab-${shown?.name}`}>
        {shown?.body()}
      </div>
    </>
  );
}
