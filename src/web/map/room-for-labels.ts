/** A rectangle on the screen that nothing else may cover. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Boxes are noted by the cells of this size that they touch; pixels. */
const CELL = 96;
const CELLS_IN_ROW = 4_096;

export class RoomForLabels {
  readonly #cells = new Map<number, Box[]>();

  /** False: something that came before is in the way. */
  take(box: Box): boolean {
    const cells = cellsOf(box);
    for (const cell of cells) {
      for (const other of this.#cells.get(cell) ?? []) if (overlap(box, other)) return false;
    }
    this.#note(box, cells);
    return true;
  }

  keepFree(box: Box): void {
    this.#note(box, cellsOf(box));
  }

  #note(box: Box, cells: readonly number[]): void {
    for (const cell of cells) {
      const present = this.#cells.get(cell);
      if (present === undefined) this.#cells.set(cell, [box]);
      else present.push(box);
    }
  }
}

function overlap(a: Box, b: Box): boolean {
  return (
    a.left < b.left + b.width &&
    b.left < a.left + a.width &&
    a.top < b.top + b.height &&
    b.top < a.top + a.height
  );
}

function cellsOf({ left, top, width, height }: Box): number[] {
  const cells: number[] = [];
  for (let x = Math.floor(left / CELL); x <= Math.floor((left + width) / CELL); x += 1) {
    for (let y = Math.floor(top / CELL); y <= Math.floor((top + height) / CELL); y += 1) {
      cells.push(x * CELLS_IN_ROW + y);
    }
  }
  return cells;
}
