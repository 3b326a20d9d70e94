/** Active statements, a user message, and the statements that it replaces. */
export interface LabelledCorrection {
  readonly held: readonly (readonly [type: "decision" | "preference" | "fact", text: string])[];
  readonly says: string;
  /** Whether the active statements were shown in this session. */
  readonly shown?: boolean;
  /** Indexes into `held` of the replaced statements. */
  readonly replaces: readonly number[];
}

const D = "decision";
const P = "preference";
const F = "fact";

export const CORRECTIONS: readonly LabelledCorrection[] = [
  {
    held: [
      [F, "The payment gateway times out after 10 seconds."],
      [F, "The gateway retries after 10 seconds."],
    ],
    says: "That's wrong, the gateway timeout is 30 seconds, not 10. Fix it",
    replaces: [0],
  },
  {
    held: [[F, "The payment gateway times out after 10 seconds."]],
    says: "That's wrong, 30 seconds, not 10.",
    shown: true,
    replaces: [0],
  },
  {
    held: [
      [
        D,
        "We decided to use integer cents instead of floats for money, because floats lose cents in sums.",
      ],
      [D, "Invoices are numbered by year and customer."],
    ],
    says: "We changed our mind: money is now Decimal instead of integer cents.",
    replaces: [0],
  },
  {
    held: [[D, "We keep money as integer cents."]],
    says: "We changed our mind: money is now Decimal.",
    replaces: [0],
  },
  {
    held: [[P, "Use npm to install packages."]],
    says: "No, use pnpm, not npm.",
    replaces: [0],
  },
  {
    held: [[F, "We deploy with kubectl."]],
    says: "No, we deploy with Helm instead of kubectl.",
    replaces: [0],
  },
  {
    held: [[D, "We use Postgres for the job queue."]],
    says: "We decided to use RabbitMQ for the job queue instead of Postgres.",
    replaces: [0],
  },
  {
    held: [[P, "Always use pnpm, never npm."]],
    says: "We decided to go back to npm instead of pnpm.",
    replaces: [0],
  },
  {
    held: [[F, "Der Timeout des Gateways ist 10 Sekunden."]],
    says: "Nein, der Timeout des Gateways ist 30 Sekunden, nicht 10.",
    replaces: [0],
  },
  {
    held: [[P, "Bitte verwende npm."]],
    says: "Bitte verwende pnpm statt npm.",
    replaces: [0],
  },
  {
    held: [[D, "Wir haben beschlossen, Beträge als Cent zu speichern."]],
    says: "Wir haben es uns anders überlegt: Beträge sind jetzt Decimal statt Cent.",
    replaces: [0],
  },
  {
    held: [[P, "Utilisez npm pour installer les paquets."]],
    says: "Utilisez toujours pnpm au lieu de npm.",
    replaces: [0],
  },
  {
    held: [[P, "Usa siempre npm."]],
    says: "Usa siempre pnpm en lugar de npm.",
    replaces: [0],
  },
  {
    held: [[P, "パッケージは npm でインストールする。"]],
    says: "今後は npm ではなく pnpm を使ってください。",
    replaces: [0],
  },
  {
    held: [[P, "Use npm to install packages."]],
    says: "Bitte verwende pnpm statt npm.",
    replaces: [0],
  },
  {
    held: [[F, "The npm publish step is run by the release workflow with the token of the bot."]],
    says: "No, use pnpm, not npm.",
    replaces: [],
  },
  {
    held: [[F, "The gateway retries after 10 seconds."]],
    says: "That's wrong, the gateway timeout is 30 seconds, not 10.",
    replaces: [],
  },
  {
    held: [[F, "The session cookie lives for 10 days."]],
    says: "That's wrong, the gateway timeout is 30 seconds, not 10.",
    replaces: [],
  },
  {
    held: [[D, "Money amounts are formatted with two digits in the invoice."]],
    says: "We changed our mind: money is now Decimal.",
    replaces: [],
  },
  {
    held: [[F, "The API runs on Fastify."]],
    says: "We changed our mind: the API is now GraphQL.",
    replaces: [],
  },
  {
    held: [[P, "Mock the payment API in unit tests."]],
    says: "Don't use mocks in the integration tests.",
    replaces: [],
  },
  {
    held: [[F, "The database listens on port 5432."]],
    says: "Our staging database listens on port 5433.",
    replaces: [],
  },
  {
    held: [[P, "Use tabs in Makefiles."]],
    says: "Use spaces instead of tabs in the Python files.",
    replaces: [],
  },
  {
    held: [
      [
        D,
        "Settled: invoices are rounded per line, to two places, half up, before the sum is built.",
      ],
      [D, "The export runs nightly and writes one file per customer."],
    ],
    says: "Amended rule, superseding what we had for invoices: they are rounded once, on the sum, to two places, half to even; lines stay exact.",
    replaces: [0],
  },
  {
    held: [
      [D, "Vereinbart: Rechnungen werden je Zeile auf zwei Stellen gerundet, dann summiert."],
      [D, "Der Export schreibt jede Nacht eine Datei je Kunde."],
    ],
    says: "Korrektur, das ist jetzt geändert: Rechnungen werden auf zwei Stellen gerundet, aber erst nach dem Summieren, nie je Zeile.",
    replaces: [0],
  },
  {
    held: [[D, "Settled: invoices are rounded per line, to two places, before the sum is built."]],
    says: "Amended rule for the archive, superseding the one of March: files older than ninety days go to cold storage.",
    replaces: [],
  },
  {
    held: [
      [D, "No re-sorting at all: requeued jobs keep their original order in the queue."],
      [D, "This needs to be right, not fast."],
    ],
    says: "No need for a special detection of recursion, just point back to the original.",
    replaces: [],
  },
  {
    held: [[P, "Use npm to install packages."]],
    says: "What if we used pnpm instead of npm?",
    replaces: [],
  },
  {
    held: [[P, "Use npm to install packages."]],
    says: "The README says to use pnpm instead of npm.",
    replaces: [],
  },
  {
    held: [[P, "Use npm to install packages."]],
    says: "Should we use pnpm, not npm?",
    replaces: [],
  },
  {
    held: [[P, "Use npm to install packages."]],
    says: "Maybe we could use pnpm instead of npm.",
    replaces: [],
  },
  {
    held: [[P, "Use npm to install packages."]],
    says: "For now use pnpm instead of npm.",
    replaces: [],
  },
  {
    held: [[D, "We use Postgres for the job queue."]],
    says: '"We decided to use RabbitMQ for the job queue instead of Postgres."',
    replaces: [],
  },
  {
    held: [[F, "In the mobile app we use Redux for state."]],
    says: "In the web app we use Zustand, not Redux.",
    shown: true,
    replaces: [],
  },
  {
    held: [[F, "The API server listens on port 8080."]],
    says: "The admin server listens on port 9090, not 8080.",
    shown: true,
    replaces: [],
  },
  {
    held: [[P, "Use tabs in Makefiles."]],
    says: "Use spaces, not tabs, in YAML files.",
    shown: true,
    replaces: [],
  },
  {
    held: [[F, "Invoices of the shop are written in English."]],
    says: "Reminders of the shop are written in German, not English.",
    shown: true,
    replaces: [],
  },
  {
    held: [[F, "Backups of orders are kept for 30 days."]],
    says: "Backups of sessions are kept for 7 days, not 30.",
    shown: true,
    replaces: [],
  },
  {
    held: [[F, "The staging gateway times out after 60 seconds."]],
    says: "The production gateway times out after 10 seconds, not 60.",
    shown: true,
    replaces: [],
  },
  {
    held: [[D, "We decided to write the parser in Rust."]],
    says: "We decided to write the CLI in Go instead of Rust.",
    shown: true,
    replaces: [],
  },
  {
    held: [[P, "From now on every endpoint needs an OpenAPI comment."]],
    says: "Forget what I said about OpenAPI comments, we don't do that any more.",
    shown: true,
    replaces: [0],
  },
  {
    held: [[P, "Always ask me before you run migrations."]],
    says: "You no longer need to ask me before you run migrations.",
    shown: true,
    replaces: [0],
  },
  {
    held: [[P, "Never push to main directly."]],
    says: "Pushing to main directly is fine now.",
    shown: true,
    replaces: [0],
  },
  {
    held: [[D, "We decided to use Kafka for the event bus."]],
    says: "Kafka is off the table, we go with NATS for the event bus.",
    shown: true,
    replaces: [0],
  },
  {
    held: [[F, "The upload limit is 20 MB."]],
    says: "The upload limit has been raised to 50 MB.",
    shown: true,
    replaces: [0],
  },
  {
    held: [[D, "We decided to keep sessions in Redis."]],
    says: "Scrap that, sessions go into signed cookies.",
    shown: true,
    replaces: [0],
  },
  {
    held: [[D, "All deploys are under a freeze."]],
    says: "The deploy freeze is lifted.",
    shown: true,
    replaces: [0],
  },
  {
    held: [[F, "Rechnungen gehen in EUR an Kunden."]],
    says: "Das stimmt nicht mehr: Rechnungen gehen in CHF an Kunden.",
    shown: true,
    replaces: [0],
  },
  {
    held: [[F, "Ada owns the billing service."]],
    says: "Ada left; Ben owns the billing service.",
    shown: true,
    replaces: [0],
  },
];
