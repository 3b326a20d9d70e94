import { useRef, useState } from "preact/hooks";
import { usePage } from "../../page.ts";

export function DropZone({ onFile }: { onFile(file: File | undefined): void }) {
  const { toasts } = usePage();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    <div
      class="drop"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const files = event.dataTransfer?.files;
        if ((files?.length ?? 0) > 1)
          toasts.tellError("One file at a time: only the first was taken.");
        onFile(files?.[0]);
      }}
    >
      <p>Drop a file of another memory here</p>
      <p class="quiet">
        memory.jsonl of server-memory, mem0, OpenMemory, basic-memory, claude-mem, ChatGPT, JSON
        lines, Markdown, CSV
      </p>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        Choose a file
      </button>
      <input
        ref={input}
        class="unseen"
        type="file"
        tabIndex={-1}
        aria-label="File to import"
        onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])}
      />
    </div>
  );
}
