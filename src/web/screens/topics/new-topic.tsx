import { useState } from "preact/hooks";
import { usePage } from "../../page.ts";

export function NewTopic() {
  const { router, writer } = usePage();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const make = async () => {
    const { db } = router.place.peek();
    const input = { name: name.trim(), description };
    const made = await writer.write("create_topic", input, {
      db,
      done: `Made the topic ${input.name}.`,
    });
    if (made === undefined) return;
    setName("");
    setDescription("");
  };
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") void make();
      }}
    >
      <label class="field">
        New topic
        <input value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <label class="field">
        Description
        <input
          value={description}
          onInput={({ currentTarget }) => setDescription(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button">
        Make it
      </button>
    </form>
  );
}
