/** A conversation as episodes to remember and questions about them. */
export interface Conversation {
  readonly id: string;
  readonly episodes: readonly Record<string, unknown>[];
  readonly questions: readonly Question[];
  /**
   * Questions that the conversation does not answer: they name a speaker who did not say or do
   * that.
   */
  readonly unanswerable: readonly string[];
}

export interface Question {
  readonly text: string;
  /** LoCoMo: 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop. BEAM: name of the ability. */
  readonly category: number | string;
  /** `source_ref` of the turns that answer the question. */
  readonly evidence: readonly string[];
}

interface Sample {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly qa: readonly {
    question: string;
    category: number | string;
    evidence?: readonly string[];
  }[];
}

interface Turn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
}

/**
 * Category of questions without an answer. Questions of other categories without evidence turns
 * are excluded too.
 */
const UNANSWERABLE_CATEGORY = 5;

export function parseLocomo(samples: readonly Sample[]): Conversation[] {
  return samples.map((sample) => ({
    id: sample.sample_id,
    episodes: createEpisodes(sample),
    questions: sample.qa
      .filter(({ category }) => category !== UNANSWERABLE_CATEGORY)
      .map((item) => ({
        text: item.question,
        category: item.category,
        evidence: (item.evidence ?? [])
          .flatMap((ids) => ids.split(/[;,\s]+/))
          .filter(Boolean)
          .map((id) => reference(sample, id)),
      }))
      .filter(({ evidence }) => evidence.length > 0),
    unanswerable: sample.qa
      .filter(({ category }) => category === UNANSWERABLE_CATEGORY)
      .map(({ question }) => question),
  }));
}

function createEpisodes(sample: Sample): Record<string, unknown>[] {
  const { conversation } = sample;
  return Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .sort((a, b) => numberOf(a) - numberOf(b))
    .flatMap((session) => {
      const occurredAt = parseDate(String(conversation[`${session}_date_time`]));
      return (conversation[session] as readonly Turn[]).map((turn) => ({
        content: turn.blip_caption ? `${turn.text} [${turn.blip_caption}]` : turn.text,
        asserted_by: turn.speaker,
        entities: [`person:${turn.speaker}`],
        source_ref: reference(sample, turn.dia_id),
        session: `${sample.sample_id}/${session}`,
        occurred_at: occurredAt,
      }));
    });
}

function reference(sample: Sample, turn: string): string {
  return `locomo:${sample.sample_id}#${turn}`;
}

function numberOf(session: string): number {
  return Number(session.slice("session_".length));
}

/** Parses a date such as `1:56 pm on 8 May, 2023` into a timestamp. */
function parseDate(text: string): string {
  const match = /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)$/.exec(text.trim());
  if (match === null) throw new Error(`Invalid LoCoMo session date: "${text}"`);
  const [, hour, minute, half, day, month, year] = match;
  const midnight = Date.parse(`${day} ${month} ${year} 00:00 UTC`);
  const hours = (Number(hour) % 12) + (half === "pm" ? 12 : 0);
  return new Date(midnight + (hours * 60 + Number(minute)) * 60_000).toISOString();
}
