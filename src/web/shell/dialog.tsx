import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../components/icon.tsx";

interface DialogProps {
  readonly title: string;
  readonly class?: string;
  /** True if the title is only for screen readers. */
  readonly isBare?: boolean;
  readonly children: ComponentChildren;
  onClose(): void;
}

export function Dialog({
  title,
  class: look = "",
  isBare = false,
  children,
  onClose,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Opening moves the focus to the first control, which is the close button.
    element?.querySelector<HTMLElement>("input, textarea, select")?.focus();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={look}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {!isBare && (
        <header>
          <h2>{title}</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
      )}
      {children}
    </dialog>
  );
}
