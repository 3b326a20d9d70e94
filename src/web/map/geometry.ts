/** How the map lies behind its window: a place of the map is drawn at `place * scale + (x, y)`. */
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
