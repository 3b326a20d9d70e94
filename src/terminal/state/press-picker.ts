import { bestMatches } from "../../shared/fuzzy-match.ts";
import { formatChord, type Key } from "../input/key-decoder.ts";
import type { Picker, PickerItem, Screen } from "./screen.ts";
import { type Pressed, result, searchHistory, takeFromHistory } from "./screen.ts";
import { KEY_STEPS, moveSelection } from "./selection.ts";

export function pressInPicker(screen: Screen, picker: Picker, key: Key): Pressed {
  const chord = formatChord(key);
  if (picker.naming !== undefined) return pressWhileNaming(screen, picker, key);
  if (key.kind !== "key")
    return result(searchPicker(screen, picker, picker.query + toOneLine(key.text)));
  if (chord === "backspace") return result(searchPicker(screen, picker, picker.query.slice(0, -1)));
  const step = KEY_STEPS[chord];
  if (step !== undefined) {
    const selected = moveSelection(picker.selected, step, picker.items.length);
    return result({ ...screen, picker: { ...picker, selected } });
  }
  const closed = { ...screen, picker: undefined };
  if (chord === "escape") return result(closed);
  const chosen = picker.items[picker.selected];
  if (chosen === undefined) return result(screen);
  if (picker.kind === "history") return pressInHistory(screen, picker, chosen, chord);
  if (chord === "enter") return result(closed, choiceAction(picker.kind, chosen));
  if (picker.kind !== "sessions") return result(screen);
  if (chord === "ctrl+f") return result(closed, { type: "fork", threadId: chosen.id });
  if (chord === "ctrl+r") return result(withPicker(screen, { ...picker, naming: chosen.label }));
  return result(screen);
}

function pressInHistory(
  screen: Screen,
  picker: Picker,
  chosen: PickerItem,
  chord: string,
): Pressed {
  if (chord === "enter" || chord === "tab") return takeFromHistory(screen, chosen);
  if (chord !== "ctrl+r") return result(screen);
  const selected = moveSelection(picker.selected, 1, picker.items.length);
  return result(withPicker(screen, { ...picker, selected }));
}

function choiceAction(kind: "sessions" | "models", { id }: PickerItem) {
  return kind === "sessions"
    ? ({ type: "resume", threadId: id } as const)
    : ({ type: "submit", text: `/model ${id}` } as const);
}

function pressWhileNaming(screen: Screen, picker: Picker, key: Key): Pressed {
  const { naming = "", ...listed } = picker;
  if (key.kind !== "key") {
    return result(withPicker(screen, { ...picker, naming: naming + toOneLine(key.text) }));
  }
  switch (formatChord(key)) {
    case "backspace": {
      const shorter = Array.from(naming).slice(0, -1).join("");
      return result(withPicker(screen, { ...picker, naming: shorter }));
    }
    case "ctrl+u":
      return result(withPicker(screen, { ...picker, naming: "" }));
    case "escape":
      return result(withPicker(screen, listed));
    case "enter":
      return setTitle(screen, listed, naming.trim());
    default:
      return result(screen);
  }
}

function setTitle(screen: Screen, picker: Picker, title: string): Pressed {
  const chosen = picker.items[picker.selected];
  if (chosen === undefined || title === "" || title === chosen.label) {
    return result(withPicker(screen, picker));
  }
  const renamed = (item: PickerItem) => (item.id === chosen.id ? { ...item, label: title } : item);
  const items = picker.items.map(renamed);
  const all = picker.all.map(renamed);
  return result(withPicker(screen, { ...picker, items, all }), {
    type: "rename",
    threadId: chosen.id,
    title,
  });
}

function withPicker(screen: Screen, picker: Picker): Screen {
  return { ...screen, picker };
}

function searchPicker(screen: Screen, picker: Picker, query: string): Screen {
  return withPicker(screen, {
    ...picker,
    query,
    items: FIND_BY_KIND[picker.kind](picker.all, query),
    selected: 0,
  });
}

/**
 * Matches items whose title contains every word or whose id starts with the query, in list order.
 */
function findByWords(all: readonly PickerItem[], query: string): readonly PickerItem[] {
  const words = query.toLowerCase().split(/\s+/);
  return all.filter(({ id, label }) => {
    const text = label.toLowerCase();
    return words.every((word) => text.includes(word) || id.startsWith(word));
  });
}

/** Fuzzy-matches characters in order, best first. */
function findBySimilarity(all: readonly PickerItem[], query: string): readonly PickerItem[] {
  const typed = query.replace(/\s+/g, "");
  const byId = new Map(all.map((item) => [item.id, item]));
  return bestMatches([...byId.keys()], typed, all.length).flatMap((id) => byId.get(id) ?? []);
}

const FIND_BY_KIND = { sessions: findByWords, models: findBySimilarity, history: searchHistory };

function toOneLine(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]+/g, " ");
}
