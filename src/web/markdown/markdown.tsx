import { type Signal, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { Stored } from "../components/stored.tsx";
import { getFailure } from "../data/request-failed.ts";
import { usePage } from "../page.ts";

interface MarkdownProps {
  readonly text: string;
}

const blocks: Signal<ComponentType<MarkdownProps> | undefined> = signal(undefined);

/** Shows plain text until the parser is loaded. */
export function Markdown({ text }: MarkdownProps) {
  const { toasts } = usePage();
  const Blocks = blocks.value;
  useEffect(() => {
    if (blocks.peek() !== undefined) return;
    import("./markdown-blocks.tsx").then(
      ({ MarkdownBlocks }) => {
        blocks.value = MarkdownBlocks;
      },
      (error: unknown) => toasts.showError(getFailure(error).message),
    );
  }, [toasts]);
  return Blocks === undefined ? (
    <Stored as="div" class="markdown text" text={text} />
  ) : (
    <Blocks text={text} />
  );
}
