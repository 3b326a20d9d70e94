import { shorten } from "../../../shared/text.ts";
import { Stored } from "../../components/stored.tsx";
import { type Axis, type Lane, type StoryFact, shareOf, ticksOf } from "./story-lanes.ts";

const ROW_PX = 10;

/** A lane of what happened at moments. */
export interface DotLane {
  readonly name: string;
  readonly dots: readonly { readonly id: string; readonly at: string; readonly text: string }[];
}

interface StoryPictureProps {
  readonly axis: Axis;
  readonly lanes: readonly Lane[];
  readonly dotLanes: readonly DotLane[];
}

/** Lanes on one axis of time: a bar for what held, a dot for what happened. */
export function StoryPicture({ axis, lanes, dotLanes }: StoryPictureProps) {
  const amounts = dotLanes.map(({ name, dots }) => `${dots.length} ${name.toLowerCase()}`);
  return (
    <div class="lanes" role="img" aria-label={[`${lanes.length} lanes`, ...amounts].join(", ")}>
      <div class="lane axis">
        <span />
        <div class="lane-track">
          {ticksOf(axis.begin, axis.end).map(({ time, title }) => (
            <span key={title} class="tick" style={{ insetInlineStart: shareOf(axis, time) }}>
              {title}
            </span>
          ))}
        </div>
      </div>
      {lanes.map(({ key, title, facts }) => (
        <div key={key} class="lane">
          <span class="lane-title">
            <Stored text={title} />
          </span>
          <div class="lane-track" style={{ minHeight: `${facts.length * ROW_PX + 4}px` }}>
            {facts.map((fact, row) => (
              <FactBar key={fact.id} fact={fact} row={row} axis={axis} />
            ))}
          </div>
        </div>
      ))}
      {dotLanes.map(({ name, dots }) => (
        <div key={name} class="lane">
          <span class="lane-title">{name}</span>
          <div class="lane-track">
            {dots
              .filter(({ at }) => Date.parse(at) <= axis.end)
              .map(({ id, at, text }) => (
                <span
                  key={id}
                  class="dot"
                  title={`${at.slice(0, 10)}: ${shorten(text, 160)}`}
                  style={{
                    insetInlineStart: `max(0px, calc(${shareOf(axis, Date.parse(at))} - 6px))`,
                  }}
                />
              ))}
          </div>
        </div>
      ))}
    </div>
  );
}

interface FactBarProps {
  readonly fact: StoryFact;
  readonly row: number;
  readonly axis: Axis;
}

function FactBar({ fact, row, axis }: FactBarProps) {
  const from = shareOf(axis, Date.parse(fact.valid_from));
  const end = fact.valid_to === null ? axis.end : Date.parse(fact.valid_to);
  return (
    <span
      class="fact-bar"
      data-status={end >= axis.end ? "active" : "superseded"}
      title={`${fact.valid_from.slice(0, 10)}: ${fact.statement}`}
      style={{
        insetInlineStart: from,
        insetBlockStart: `${row * ROW_PX + 3}px`,
        width: `max(6px, calc(${shareOf(axis, end)} - ${from} - 2px))`,
      }}
    />
  );
}
