export const KEY_STEPS: Readonly<Record<string, 1 | -1>> = {
  up: -1,
  "ctrl+p": -1,
  "shift+tab": -1,
  down: 1,
  "ctrl+n": 1,
};

export function moveSelection(selected: number, step: number, count: number): number {
  return count === 0 ? 0 : (selected + step + count) % count;
}
