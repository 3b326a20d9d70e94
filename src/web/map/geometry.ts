/** Pan and zoom: a point of the map is drawn at `point * scale + (x, y)`. */
export interface MapView {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface PointerMoves {
  /** Distance in pixels. */
  onPan(by: Point): void;
  onZoom(at: Point, factor: number): void;
  /** Called on press and release at the same position. */
  onTap(at: Point): void;
}

/** Pixels that a pointer may move during a tap. */
const STILL = 4;

/** Tracks pointers: one pans the map, two zoom around their center. */
export class PointerFollower {
  readonly #down = new Map<number, Point>();
  readonly #moves: PointerMoves;
  #pressed: Point | undefined;

  constructor(moves: PointerMoves) {
    this.#moves = moves;
  }

  press(pointer: number, at: Point): void {
    this.#down.set(pointer, at);
    this.#pressed = this.#down.size === 1 ? at : undefined;
  }

  move(pointer: number, at: Point): void {
    const before = this.#down.get(pointer);
    if (before === undefined) return;
    const other = [...this.#down].find(([id]) => id !== pointer)?.[1];
    this.#down.set(pointer, at);
    if (this.#pressed !== undefined && distance(this.#pressed, at) > STILL) {
      this.#pressed = undefined;
    }
    if (other !== undefined) {
      const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
      this.#moves.onZoom(middle, distance(at, other) / Math.max(1, distance(before, other)));
      this.#moves.onPan({ x: (at.x - before.x) / 2, y: (at.y - before.y) / 2 });
    } else if (this.#pressed === undefined) {
      this.#moves.onPan({ x: at.x - before.x, y: at.y - before.y });
    }
  }

  release(pointer: number, at: Point): void {
    if (!this.#down.delete(pointer)) return;
    if (this.#pressed !== undefined) this.#moves.onTap(at);
    this.#pressed = undefined;
  }

  /** The browser canceled the pointer, for example to scroll. */
  lose(pointer: number): void {
    this.#down.delete(pointer);
    this.#pressed = undefined;
  }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
