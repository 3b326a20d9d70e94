import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../components/icon.tsx";
import { Keys } from "../../components/keys.tsx";
import { usePage } from "../../page.ts";

/** Words narrow the list as they are typed; Enter asks as an agent would. */
export function SearchField({ text }: { readonly text: string }) {
  const { router } = usePage();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const element = field.current;
    if (element !== null && document.activeElement !== element) element.value = text;
  }, [text]);
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const q = field.current?.value.trim() ?? "";
        if (q !== "") router.go(router.href({ screen: "recall", query: { q } }));
      }}
    >
      <Icon name="find" />
      <input
        ref={field}
        type="search"
        aria-label="Words to find; Enter recalls them"
        placeholder="Words to find"
        defaultValue={text}
        onInput={({ currentTarget }) => router.setQuery({ q: currentTarget.value, sel: "" })}
        onKeyDown={(event) => {
          if (event.key === "Escape" || event.key === "ArrowDown") {
            event.preventDefault();
            const { currentTarget } = event;
            currentTarget.blur();
            document.querySelector<HTMLElement>(".list")?.focus();
          }
        }}
      />
      <button type="submit" class="button quiet" title="What an agent would get for it, ranked">
        Recall <Keys of={["Enter"]} />
      </button>
      <Keys of={["/"]} />
    </form>
  );
}
