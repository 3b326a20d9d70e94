import { bestMatches } from "../../shared/fuzzy-match.ts";
import { formatChord, type Key } from "../input/key-decoder.ts";
import type { Picker, PickerItem, Screen } from "./screen.ts";
import { done, findSent, type Pressed, takeSent } from "./screen.ts";
import { STEPS, turn } from "./selection.ts";

export function pressInPicker(screen: Screen, picker: Picker, key: Key): Pressed {
  const chord = formatChord(key);
  if (picker.naming !== undefined) return pressWhileNaming(screen, picker, key);
  if (key.kind !== "key") return done(search(screen, picker, picker.query + oneLine(key.text)));
  if (chord === "backspace") return done(search(screen, picker, picker.query.slice(0, -1)));
  const step = STEPS[chord];
  if (step !== undefined) {
    const selected = turn(picker.selected, step, picker.items.length);
    return done({ ...screen, picker: { ...picker, selected } });
  }
  const closed = { ...screen, picker: undefined };
  if (chord === "escape") return done(closed);
  const chosen = picker.items[picker.selected];
  if (chosen === undefined) return done(screen);
  if (picker.kind === "history") return pressInHistory(screen, picker, chosen, chord);
  if (chord === "enter") return done(closed, choiceAction(picker.kind, chosen));
  if (picker.kind !== "sessions") return done(screen);
  if (chord === "ctrl+f") return done(closed, { type: "fork", threadId: chosen.id });
  if (chord === "ctrl+r") return done(withPicker(screen, { ...picker, naming: chosen.label }));
  return done(screen);
}

function pressInHistory(
  screen: Screen,
  picker: Picker,
  chosen: PickerItem,
  chord: string,
): Pressed {
  if (chord === "enter" || chord === "tab") return takeSent(screen, chosen);
  if (chord !== "ctrl+r") return done(screen);
  const selected = turn(picker.selected, 1, picker.items.length);
  return done(withPicker(screen, { ...picker, selected }));
}

function choiceAction(kind: "sessions" | "models", { id }: PickerItem) {
  return kind === "sessions"
    ? ({ type: "resume", threadId: id } as const)
    : ({ type: "submit", text: `/model ${id}` } as const);
}

function pressWhileNaming(screen: Screen, picker: Picker, key: Key): Pressed {
  const { naming = "", ...listed } = picker;
  if (key.kind !== "key") {
    return done(withPicker(screen, { ...picker, naming: naming + oneLine(key.text) }));
  }
  switch (formatChord(key)) {
    case "backspace": {
      const shorter = Array.from(naming).slice(0, -1).join("");
      return done(withPicker(screen, { ...picker, naming: shorter }));
    }
    case "ctrl+u":
      return done(withPicker(screen, { ...picker, naming: "" }));
    case "escape":
      return done(withPicker(screen, listed));
    case "enter":
      return giveTitle(screen, listed, naming.trim());
    default:
      return done(screen);
  }
}

function giveTitle(screen: Screen, picker: Picker, title: string): Pressed {
  const chosen = picker.items[picker.selected];
  if (chosen === undefined || title === "" || title === chosen.label) {
    return done(withPicker(screen, picker));
  }
  const renamed = (item: PickerItem) => (item.id === chosen.id ? { ...item, label: title } : item);
  const items = picker.items.map(renamed);
  const all = picker.all.map(renamed);
  return done(withPicker(screen, { ...picker, items, all }), {
    type: "rename",
    threadId: chosen.id,
    title,
  });
}

function withPicker(screen: Screen, picker: Picker): Screen {
  return { ...screen, picker };
}

function search(screen: Screen, picker: Picker, query: string): Screen {
  return withPicker(screen, {
    ...picker,
    query,
    items: FIND[picker.kind](picker.all, query),
    selected: 0,
  });
}

/**
 * Matches items whose title contains every word or whose id starts with the query, in list order.
 */
function byWords(all: readonly PickerItem[], query: string): readonly PickerItem[] {
  const words = query.toLowerCase().split(/\s+/);
  return all.filter(({ id, label }) => {
    const text = label.toLowerCase();
    return words.every((word) => text.includes(word) || id.startsWith(word));
  });
}

/** Fuzzy-matches characters in order, best first. */
function bySimilarity(all: readonly PickerItem[], query: string): readonly PickerItem[] {
  const typed = query.replace(/\s+/g, "");
  const byId = new Map(all.map((item) => [item.id, item]));
  return bestMatches([...byId.keys()], typed, all.length).flatMap((id) => byId.get(id) ?? []);
}

const FIND = { sessions: byWords, models: bySimilarity, history: findSent };

function oneLine(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]+/g, " ");
}
