import { useId, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

export interface MenuItem {
  readonly title: string;
  readonly isDestructive?: boolean;
  /** Shown only if the window is too narrow for the action's button. */
  readonly isNarrow?: boolean;
  run(): void;
}

const MARGIN = 8;

function shownItems(menu: HTMLElement | null): HTMLElement[] {
  const items = [...(menu?.querySelectorAll<HTMLElement>("button") ?? [])];
  return items.filter(({ offsetParent }) => offsetParent !== null);
}

/** Button that opens a menu of actions. */
export function Menu({
  label,
  items,
}: {
  readonly label: string;
  readonly items: readonly MenuItem[];
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const place = (isOpen: boolean) => {
    const [menu, opener] = [list.current, button.current?.getBoundingClientRect()];
    if (!isOpen || menu === null || opener === undefined) return;
    const { width, height } = menu.getBoundingClientRect();
    const left = Math.min(opener.right - width, innerWidth - width - MARGIN);
    const isBelow = opener.bottom + height + MARGIN < innerHeight;
    menu.style.left = `${Math.max(MARGIN, left)}px`;
    menu.style.top = `${isBelow ? opener.bottom + 4 : Math.max(MARGIN, opener.top - height - 4)}px`;
    shownItems(menu)[0]?.focus();
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const items = shownItems(list.current);
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[(at + step + items.length) % items.length]?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={label}
        aria-haspopup="menu"
        popovertarget={id}
      >
        <Icon name="more" />
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        role="menu"
        aria-label={label}
        popover="auto"
        onToggle={(event) => place((event as unknown as ToggleEvent).newState === "open")}
        onKeyDown={move}
      >
        {items.map(({ title, isDestructive, isNarrow, run }) => (
          <button
            key={title}
            type="button"
            role="menuitem"
            class={`menu-item${isDestructive === true ? " danger" : ""}${isNarrow === true ? " narrow" : ""}`}
            onClick={() => {
              list.current?.hidePopover();
              run();
            }}
          >
            {title}
          </button>
        ))}
      </div>
    </>
  );
}
