import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button, Form, IconButton } from "../components/controls.tsx";

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
          <IconButton icon="close" label="Close" onClick={onClose} />
        </header>
      )}
      {children}
    </dialog>
  );
}

interface FormDialogProps {
  readonly title: string;
  /** Label of the submit button. */
  readonly verb: string;
  readonly isReady?: boolean;
  readonly children: ComponentChildren;
  onSubmit(form: HTMLFormElement): void;
  onClose(): void;
}

/** Dialog with a form, which closes when it is submitted. */
export function FormDialog(props: FormDialogProps) {
  const { title, verb, isReady = true, children, onSubmit, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        class="fields"
        onSubmit={(form) => {
          if (!isReady) return;
          onSubmit(form);
          onClose();
        }}
      >
        {children}
        <Button type="submit" kind="primary" disabled={!isReady}>
          {verb}
        </Button>
      </Form>
    </Dialog>
  );
}
