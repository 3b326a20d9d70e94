import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows rendered beyond the visible area, so that fast scrolling shows no gap. */
const SPARE = 6;

interface VirtualListProps {
  readonly count: number;
  readonly rowHeight: number;
  readonly label: string;
  /** Row under the cursor, which is scrolled into view. */
  readonly cursor: number;
  /** Total number of rows, if more exist than are loaded. */
  readonly total?: number | undefined;
  /** Initial scroll position in pixels. */
  readonly initialTop?: number;
  row(index: number): ComponentChildren;
  keyOf(index: number): string;
  /** Called when the end of the loaded rows is near. */
  onEnd?(): void;
  onScroll?(top: number): void;
}

/** Grid that renders only the visible rows. */
export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, cursor, label, total, row, keyOf, onEnd, onScroll } = props;
  const { initialTop = 0 } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ first: 0, shown: 20 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = () => setView((seen) => getView(element, rowHeight, seen));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [rowHeight]);
  useLayoutEffect(() => {
    if (frame.current !== null && initialTop > 0) frame.current.scrollTop = initialTop;
  }, []);
  useEffect(() => {
    const element = frame.current;
    if (element === null || cursor < 0) return;
    const top = cursor * rowHeight;
    const least = top + rowHeight - element.clientHeight;
    if (element.scrollTop > top) element.scrollTop = top;
    else if (element.scrollTop < least) element.scrollTop = least;
  }, [cursor, rowHeight]);
  const last = Math.min(count, view.first + view.shown);
  useEffect(() => {
    if (last >= count - SPARE) onEnd?.();
  }, [last, count, onEnd]);
  const indexes = Array.from(
    { length: Math.max(0, last - view.first) },
    (_, at) => view.first + at,
  );
  return (
    <div
      class="list"
      ref={frame}
      role="grid"
      aria-label={label}
      aria-rowcount={total ?? count}
      aria-activedescendant={cursor < 0 ? undefined : `row-${cursor}`}
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        setView((seen) => getView(currentTarget, rowHeight, seen));
        onScroll?.(currentTarget.scrollTop);
      }}
    >
      <div class="list-space" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        {indexes.map((index) => (
          <div
            key={keyOf(index)}
            id={`row-${index}`}
            class="row"
            role="row"
            aria-rowindex={index + 1}
            aria-selected={index === cursor}
            style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

interface View {
  readonly first: number;
  readonly shown: number;
}

function getView(element: HTMLElement, rowHeight: number, seen: View): View {
  const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - SPARE);
  const shown = Math.ceil(element.clientHeight / rowHeight) + 2 * SPARE;
  return seen.first === first && seen.shown === shown ? seen : { first, shown };
}
