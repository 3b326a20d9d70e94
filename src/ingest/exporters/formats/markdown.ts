import { listLineProperties, type Property } from "../../../memory/presentation/index.ts";
import type {
  ExportedConflict,
  ExportedFile,
  ExportedItem,
  ExportedMemory,
  Exporter,
  ExportOptions,
} from "../exported-memory.ts";
import { createFileName, formatDay, toMarkdownEntry, toMarkdownLine } from "../exported-memory.ts";

const FACT_CLUSTER_TYPE = "fact_cluster";

/** Exports an index, the facts with their history, one page per concept, and episodes by month. */
export const markdown: Exporter = {
  name: "markdown",
  summary: "pages for people: concepts, facts with their history, episodes by month",
  form: "files",
  async *write(memory, options) {
    const { concepts, titles } = await readConcepts(memory);
    const facts = await readFacts(memory);
    const conflicts = await memory.openConflicts();
    const months = await countMonths(memory);
    yield createIndex({ concepts, facts, conflicts, months }, options);
    if (facts.size > 0) yield createFactsPage(facts, titles);
    for (const concept of concepts) yield await createConceptPage(memory, concept, titles);
    yield* createEpisodePages(memory);
  },
};

interface Contents {
  readonly concepts: readonly ExportedItem[];
  readonly facts: ReadonlyMap<string, readonly ExportedItem[]>;
  readonly conflicts: readonly ExportedConflict[];
  readonly months: ReadonlyMap<string, number>;
}

function createIndex(
  { concepts, facts, conflicts, months }: Contents,
  { database, now }: ExportOptions,
): ExportedFile {
  const total = [...months.values()].reduce((sum, count) => sum + count, 0);
  const lines = [
    `# Memory of ${database}`,
    "",
    `${counted(total, "episode")}, ${counted(facts.size, "cluster")} of facts, ${counted(concepts.length, "concept")}; written on ${formatDay(now.toISOString())} by cairn.`,
    ...formatSection("Open conflicts", conflicts.map(formatConflict)),
    ...formatSection(
      "Concepts",
      concepts.map(
        (concept) =>
          `- [${linkText(concept.title ?? concept.id)}](${conceptPath(concept)}): ${toMarkdownLine(concept.text, 160)}`,
      ),
    ),
    ...formatSection(
      "Facts",
      facts.size === 0 ? [] : ["- [Current and superseded facts](facts.md)"],
    ),
    ...formatSection(
      "Episodes",
      [...months].map(([month, count]) => `- [${month}](episodes/${month}.md): ${count}`).reverse(),
    ),
  ];
  return { path: "README.md", text: `${lines.join("\n")}\n` };
}

function formatConflict({ id, fact_a: a, fact_b: b }: ExportedConflict): string {
  const formatSide = (fact: ExportedConflict["fact_a"]) =>
    `"${toMarkdownLine(fact.statement, 160)}" (${formatAuthor([fact.id, fact.asserted_by])})`;
  return `- ${id}: ${formatSide(a)} against ${formatSide(b)}`;
}

/** Returns concepts without fact clusters, which have their own page, and the titles of all. */
async function readConcepts(memory: ExportedMemory) {
  const titles = new Map<string, { title: string; path: string }>();
  const concepts: ExportedItem[] = [];
  for await (const concept of memory.items("concept", "oldest")) {
    const isCluster = concept.type === FACT_CLUSTER_TYPE;
    const path = isCluster ? "facts.md" : conceptPath(concept);
    titles.set(concept.id, { title: concept.title ?? concept.id, path });
    if (!isCluster) concepts.push(concept);
  }
  return { concepts, titles };
}

type Titles = ReadonlyMap<string, { readonly title: string; readonly path: string }>;

async function readFacts(memory: ExportedMemory): Promise<Map<string, ExportedItem[]>> {
  const clusters = new Map<string, ExportedItem[]>();
  for await (const fact of memory.items("fact", "oldest")) {
    const id = fact.cluster_id ?? "";
    const known = clusters.get(id);
    if (known === undefined) clusters.set(id, [fact]);
    else known.push(fact);
  }
  return clusters;
}

function createFactsPage(
  clusters: ReadonlyMap<string, readonly ExportedItem[]>,
  titles: Titles,
): ExportedFile {
  const parts = [...clusters].map(([id, facts]) => {
    const [active, past] = [
      facts.filter(({ status }) => status === "active"),
      facts.filter(({ status }) => status !== "active"),
    ];
    return [
      `## ${toMarkdownLine(titles.get(id)?.title ?? "Facts", 120)}`,
      "",
      ...active.map((fact) => `- ${toMarkdownEntry(fact.text)} _(${formatPeriod(fact)})_`),
      ...past.map((fact) => `- ~~${toMarkdownLine(fact.text)}~~ _(${formatPeriod(fact)})_`),
    ].join("\n");
  });
  return { path: "facts.md", text: `# Facts\n\n${parts.join("\n\n")}\n` };
}

function formatPeriod(fact: ExportedItem): string {
  const from = `since ${formatDay(fact.valid_from ?? fact.at)}`;
  const until = fact.valid_to === null ? "" : ` until ${formatDay(fact.valid_to)}`;
  const disputed = fact.open_conflicts.map((id) => `disputed in ${id}`);
  return formatAuthor([fact.id, `${from}${until}`, fact.asserted_by, ...disputed]);
}

async function createConceptPage(
  memory: ExportedMemory,
  concept: ExportedItem,
  titles: Titles,
): Promise<ExportedFile> {
  const relations = (await memory.relationsOf(concept.id)).flatMap(({ type, target_id: to }) => {
    const target = titles.get(to);
    if (target === undefined) return [];
    const path = target.path.replace(/^concepts\//, "");
    return [
      `- ${type.replaceAll("_", " ")} [${linkText(target.title)}](${path === target.path ? `../${path}` : path})`,
    ];
  });
  const confidence = concept.confidence === null ? [] : [`confidence ${concept.confidence}`];
  const lines = [
    `# ${toMarkdownLine(concept.title ?? concept.id)}`,
    "",
    `_${formatAuthor([concept.id, concept.type, ...confidence, formatDay(concept.at), ...collectValues(concept)])}_`,
    "",
    toMarkdownEntry(concept.text).replace(/\n {2}/g, "\n"),
    ...formatSection("Relations", relations),
  ];
  return { path: conceptPath(concept), text: `${lines.join("\n")}\n` };
}

async function* createEpisodePages(memory: ExportedMemory): AsyncGenerator<ExportedFile> {
  let month = "";
  let entries: string[] = [];
  const createPage = (): ExportedFile => ({
    path: `episodes/${month}.md`,
    text: `# ${month}\n\n${entries.join("\n")}\n`,
  });
  for await (const episode of memory.items("episode", "oldest")) {
    if (getMonth(episode) !== month && entries.length > 0) {
      yield createPage();
      entries = [];
    }
    month = getMonth(episode);
    entries.push(
      `- **${formatDay(episode.at)} ${episode.type}** ${toMarkdownEntry(episode.text)} _(${formatAuthor(
        [episode.id, ...collectValues(episode)],
      )})_`,
    );
  }
  if (entries.length > 0) yield createPage();
}

async function countMonths(memory: ExportedMemory): Promise<Map<string, number>> {
  const months = new Map<string, number>();
  for await (const episode of memory.items("episode", "oldest")) {
    const month = getMonth(episode);
    months.set(month, (months.get(month) ?? 0) + 1);
  }
  return months;
}

const getMonth = ({ at }: ExportedItem): string => at.slice(0, 7);

function collectValues(item: ExportedItem): readonly string[] {
  const known = listLineProperties(item).filter(({ field }) => field !== "fact_id");
  const isSource = ({ kind }: Property) => kind === "source";
  return [...known.filter((one) => !isSource(one)), ...known.filter(isSource)].flatMap(
    ({ values }) => values,
  );
}

function conceptPath({ id, title }: ExportedItem): string {
  const name = createFileName(title ?? "");
  return `concepts/${name === "" ? id : `${name}-${id}`}.md`;
}

const linkText = (title: string): string => toMarkdownLine(title, 120).replace(/[[\]]/g, "\\$&");

function formatAuthor(parts: readonly (string | null)[]): string {
  return parts
    .flatMap((part) => (part === null || part === "" ? [] : [toMarkdownLine(part, 80)]))
    .join(", ");
}

function formatSection(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];
}

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;
