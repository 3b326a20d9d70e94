import type { Story } from "./tell-story.ts";

export type Theme = "light" | "dark";

const COLOURS = {
  light: {
    page: "#ffffff",
    card: "#f6f8fa",
    edge: "#d0d7de",
    text: "#1f2328",
    quiet: "#59636e",
    mark: "#0969da",
    kept: "#1a7f37",
  },
  dark: {
    page: "#0d1117",
    card: "#151b23",
    edge: "#3d444d",
    text: "#e6edf3",
    quiet: "#9198a1",
    mark: "#4493f8",
    kept: "#3fb950",
  },
} as const;

const WIDTH = 880;
const MARGIN = 16;
const PADDING = 18;
const LINE = 20;
const COLUMNS = 100;
const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";
const SANS = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif";

interface Line {
  readonly text: string;
  readonly colour: "text" | "quiet" | "mark" | "kept";
}

interface Card {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** Draws the story as SVG: the session, then what an agent receives without and with it. */
export function drawStory(story: Story, theme: Theme): string {
  const colours = COLOURS[theme];
  const parts: string[] = [];
  let top = MARGIN;
  for (const { title, lines } of createCards(story)) {
    const height = PADDING * 2 + 26 + lines.length * LINE;
    parts.push(
      `<rect x="${MARGIN}" y="${top}" width="${WIDTH - 2 * MARGIN}" height="${height}" rx="8" fill="${colours.card}" stroke="${colours.edge}"/>`,
      textAt(title, { y: top + PADDING + 8, colour: colours.text, font: SANS, weight: 600 }),
      ...lines.map(({ text, colour }, index) =>
        textAt(text, {
          y: top + PADDING + 38 + index * LINE,
          colour: colours[colour],
          font: MONO,
          weight: 400,
        }),
      ),
    );
    top += height + MARGIN;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" role="img" aria-labelledby="title">`,
    '<title id="title">A decision of one session, shown to the agent of another client days later</title>',
    `<rect width="${WIDTH}" height="${top}" fill="${colours.page}"/>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

function createCards({ session, prompt, given }: Story): Card[] {
  const asked: Line[] = wrapText(`> ${prompt}`, "mark");
  return [
    {
      title: "Monday, in Claude Code",
      lines: session.flatMap(({ by, text }) =>
        by === "user" ? wrapText(`> ${text}`, "mark") : wrapText(`● ${text}`, "text"),
      ),
    },
    {
      title: "Thursday, in Codex, without cairn: all that the agent is given",
      lines: asked,
    },
    {
      title: "Thursday, in Codex, with cairn: what the hook adds to it",
      lines: [
        ...asked,
        ...given.flatMap((line) => wrapText(line, line.startsWith("- ") ? "kept" : "quiet")),
      ],
    },
  ];
}

/**
 * Wraps text at word boundaries to at most `COLUMNS` characters. Continuation lines are indented.
 */
function wrapText(text: string, colour: Line["colour"]): Line[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = `  ${word}`;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => ({ text: each, colour }));
}

interface Place {
  readonly y: number;
  readonly colour: string;
  readonly font: string;
  readonly weight: number;
}

function textAt(text: string, { y, colour, font, weight }: Place): string {
  const x = MARGIN + PADDING;
  return `<text x="${x}" y="${y}" fill="${colour}" font-family="${font}" font-size="13" font-weight="${weight}" xml:space="preserve">${escapeXml(text)}</text>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
