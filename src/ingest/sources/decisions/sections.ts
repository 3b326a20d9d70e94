/** A part of a file under a heading of its own. */
export interface Section {
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  readonly body: string;
  /** The ISO time that the file itself gives; undefined if it gives none. */
  readonly at: string | undefined;
}

const HEADING = /^(#{1,4})\s+(.+?)\s*#*\s*$/;
const FENCE = /^\s*(?:```|~~~)/;
const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/;
const DAY = /\b(\d{4}-\d{2}-\d{2})\b/;
/** A date at the start of a decision file: `Date: 2026-03-01`, `* date: 2026-03-01`. */
const SAID_DAY = /^[\s*_-]*date[\s*_]*:[\s*_"']*(\d{4}-\d{2}-\d{2})/im;
const BEGINNING_CHARACTERS = 600;
const MAX_HEADING_CHARACTERS = 1_000;

/** The sections of a Markdown file in order, without empty ones. */
export function sectionsOf(text: string): Section[] {
  const dayOfFile = dayIn(SAID_DAY.exec(text.slice(0, BEGINNING_CHARACTERS))?.[1]);
  const sections: Section[] = [];
  let headings: string[] = [];
  let lines: string[] = [];
  let isCode = false;
  const finish = () => {
    const body = lines.join("\n").trim();
    lines = [];
    if (body === "") return;
    const day = headings.map((heading) => dayIn(DAY.exec(heading)?.[1])).find(isSaid);
    sections.push({ headings, body, at: day ?? dayOfFile });
  };
  for (const line of text.replace(FRONT_MATTER, "").split(/\r?\n/)) {
    if (line.length < MAX_HEADING_CHARACTERS && FENCE.test(line)) isCode = !isCode;
    const [, marks, title] =
      isCode || line.length > MAX_HEADING_CHARACTERS ? [] : (HEADING.exec(line) ?? []);
    if (marks === undefined || title === undefined) {
      lines.push(line);
      continue;
    }
    finish();
    headings = [...headings.slice(0, marks.length - 1), title];
  }
  finish();
  return sections;
}

function dayIn(day: string | undefined): string | undefined {
  const time = new Date(day === undefined ? Number.NaN : `${day}T12:00:00Z`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function isSaid(day: string | undefined): day is string {
  return day !== undefined;
}
