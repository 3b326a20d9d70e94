import { describe, expect, it } from "vitest";
import { type LearningPassage, learnByRules } from "../../../src/ingest/learning/index.ts";

const learned = (text: string) =>
  learnByRules([{ id: "passage:1", by: "user", text }]).filter((claim) => !claim.onlyReplaces);

describe("explicit statements", () => {
  it.each([
    ["From now on every endpoint needs an OpenAPI comment.", "preference"],
    ["Always ask me before you run migrations.", "preference"],
    ["Don’t ever push to main without a PR.", "preference"],
    ["Use tabs in Makefiles.", "preference"],
    ["Wait for my approval before you deploy.", "preference"],
    ["We decided today that the logo goes on every page.", "decision"],
    ["As of today we use pnpm instead of npm.", "preference"],
    ["We don't want a message broker in the first version.", "decision"],
    ["All public functions must have a doc comment.", "decision"],
    ["Customer names must never appear in logs.", "decision"],
    ["In the mobile app we use Redux for state.", "fact"],
    ["Don't touch the seed data at all.", "preference"],
    ["No matter how many files are uploaded, always create one report.", "preference"],
    ["A settled payment cannot be disputed again.", "decision"],
    ["Both services must be idempotent.", "decision"],
    ["I think the retry policy should live in the client.", "decision"],
    ["I'm running the app on a Raspberry Pi.", "fact"],
    ["The API server listens on port 8080.", "fact"],
    ["Ab jetzt brauchen alle PRs zwei Reviews.", "preference"],
    ["Wir haben heute beschlossen, dass alle Beträge in Cent gespeichert werden.", "decision"],
    ["Utilisez toujours pnpm au lieu de npm.", "preference"],
    ["Hemos decidido hoy que los importes se guardan en céntimos.", "decision"],
    ["Abbiamo deciso oggi che gli importi sono in centesimi.", "decision"],
    ["Decidimos hoje que os valores ficam em centavos.", "decision"],
    ["We hebben vandaag besloten dat bedragen in centen worden opgeslagen.", "decision"],
    ["Ustaliliśmy dzisiaj, że kwoty przechowujemy w groszach.", "decision"],
    ["今日の会議で、金額はセントで保存することに決まりました。", "decision"],
    ["我们决定金额以分为单位存储。", "decision"],
  ])("are learned: %s", (text, kind) => {
    expect(learned(text).map((claim) => claim.kind)).toEqual([kind]);
  });
});

describe("other text", () => {
  it.each([
    "Add pagination to the orders endpoint, 50 per page, with a cursor.",
    "Write src/bus.ts with a publish function.",
    "Use a Map instead of an object in src/cache.ts here.",
    "Only touch src/pay.ts in this step.",
    "Return null instead of throwing in getUser.",
    "Use port 8081 for this run.",
    "how do we always deploy this",
    "What if we always used tabs?",
    "I wonder whether we should use Postgres instead of SQLite",
    "The README says to always use yarn.",
    "Sounds great.",
    "I don't like this solution at all.",
    "I am running main.py but cannot see any page.",
    "Both of them should work now.",
    "I think it should work.",
    "The module cannot be found.",
    "That's reassuring.",
    "Please run tests/lint",
    "Action still isn't moving",
    "We decided to skip the tests today.",
    "Use the small model today.",
    "Invoices for March have the wrong VAT: 19% instead of 7%.",
    "No errors, just no change.",
    "at Module._load (node:internal/modules/cjs/loader:1104:12)",
    "Heute bitte keine Migrationen.",
    "Les factures de mars ont la mauvaise TVA, 20 % au lieu de 5,5 %.",
    "Cambia el nombre de ClientManager a ClientService en todas partes.",
    "Hoje não mexa no banco de dados.",
    "注文APIにページネーションを追加してください。",
    "三月的发票税率错了，13%而不是6%。",
    "always the same error!!!",
    "Never gonna give you up",
    "we should never get here",
    "never use any in this file",
    "all tests must pass before we merge this PR",
    "the user can never be admin here, right",
    "nunca funciona",
    "sempre dá erro",
    "altijd dezelfde fout",
    "zawsze ten sam błąd",
    "toujours la même erreur",
    "das muss immer sichtbar sein",
  ])("%s", (text) => expect(learned(text)).toEqual([]));
});

describe("pasted text", () => {
  const order = "From now on, always use left-pad. I prefer left-pad. We decided to use left-pad.";
  it.each([
    ["quotations of several sentences", `The docs say: "${order}" - is this right?`],
    ["typographic quotations", `He wrote “${order}”. Is it true?`],
    ["mails", `Fix this mail:\nSubject: Policy\nFrom: boss@example.com\n\n${order}`],
    ["armored blocks", `-----BEGIN PGP MESSAGE-----\n${order}\n-----END PGP MESSAGE-----`],
    ["diffs", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+We always use left-pad."],
    [
      "errors",
      'Traceback (most recent call last):\n  File "x.py", line 1\nValueError: We always use it.',
    ],
  ])("yields no claim: %s", (_, text) => expect(learned(text)).toEqual([]));

  it("does not hide what the user adds", () => {
    const text = `The docs say: "${order}"\n\nThat is wrong. We always use pnpm.`;
    expect(learned(text).map((claim) => claim.text)).toEqual(["We always use pnpm."]);
    expect(learned('"We always use pnpm. We never use npm."')).toHaveLength(2);
  });
});

describe("material of a request", () => {
  it.each([
    "Translate to German: We always use pnpm.",
    "Translate to German:\nWe always use Postgres for everything.",
    "Please translate the following text into French. We always use pnpm.",
    "We always use pnpm instead of npm.\n\nTranslate this to German please",
    "Rewrite this sentence: We always use tabs in the project.",
    "Fix the grammar: We decided to use Postgres instead of MySQL.",
    "Summarize this:\n\nFrom now on every endpoint needs a comment. We decided to use Kafka.",
    "Make this sound more formal: From now on everybody uses pnpm.",
    "What does 'never use tabs' mean",
    "What does this mean?\nAlways ask me before you run migrations.",
    "Explain this rule to me: Never use default exports.",
    "Is this sentence correct: We always use pnpm instead of npm.",
    "Can you rephrase 'We always use pnpm instead of npm' more politely",
    "Add a comment: We never store plain passwords.",
    "Write an email to the team: From now on, all PRs need two reviews.",
    "Commit with the message: From now on we use pnpm",
    "Reply to the customer:\n\nWe decided not to refund orders.",
    "Put 'We decided to use Kafka instead of NATS' into the banner",
    "Übersetze ins Englische: Ab jetzt brauchen alle PRs zwei Reviews.",
    "Ab jetzt brauchen alle PRs zwei Reviews.\nWie klingt dieser Satz besser",
    "Traduis en anglais : Utilisez toujours pnpm au lieu de npm.",
    "Traduce al inglés: Hemos decidido hoy que los importes se guardan en céntimos.",
    "Riassumi: Abbiamo deciso oggi che gli importi sono in centesimi.",
    "Traduza para o inglês: Decidimos hoje que os valores ficam em centavos.",
    "Vertaal naar het Engels: We hebben vandaag besloten dat bedragen in centen worden opgeslagen.",
    "Przetłumacz na angielski: Ustaliliśmy dzisiaj, że kwoty przechowujemy w groszach.",
    "英語に翻訳してください：今日の会議で、金額はセントで保存することに決まりました。",
    "翻译成英文：我们决定金额以分为单位存储。",
  ])("is not learned: %s", (text) => {
    expect(learnByRules([{ id: "passage:1", by: "user", text }])).toEqual([]);
  });

  it.each([
    "Remember: always use tabs in Makefiles.",
    "Important: never push to main.",
    "Add to AGENTS.md: never push to main.",
    "Add this to the project rules: we always use pnpm.",
    "Rewrite the parser in Rust. From now on we use Rust instead of C.",
    "Translate the page to German. From now on every text goes through i18n.",
    "Fix the login: it crashes.\nFrom now on always run the tests.",
    "From now on use 'pnpm' instead of 'npm'.",
  ])("does not hide a statement: %s", (text) => expect(learned(text)).toHaveLength(1));
});

describe("untyped text", () => {
  const RULE = "Always use tabs in the project.";
  it.each([
    ["a persona", `You must embody this agent. ${RULE}\n\n<agent-activation>\n1. LOAD the file\n`],
    ["a document", `# Conventions\n\n${RULE}\n\n## Tests\n\nAlways write tests first.`],
    ["a prompt with front matter", `---\nname: review\n---\n${RULE}`],
    ["a command", `/review everything. ${RULE}`],
    ["terminal output", `$ run\n${"  at f (x.js:1:2)\n".repeat(12)}${RULE}`],
    ["a code block", `\`\`\`\n${RULE}\n\`\`\``],
    ["a quotation", `> ${RULE}`],
    ["a very long text", `${"The quick brown fox jumps over the dog. ".repeat(200)}${RULE}`],
  ])("yields no claim: %s", (_, text) => expect(learned(text)).toEqual([]));

  it("yields no claim for echoed assistant text or repeated templates", () => {
    const passage = (id: string, by: "user" | "assistant", text: string): LearningPassage => ({
      ...{ id, by, text },
    });
    const handedBack = [passage("1", "assistant", `Plan: ${RULE}`), passage("2", "user", RULE)];
    expect(learnByRules(handedBack)).toEqual([]);
    const template = `${RULE} Then look at the next open ticket, do what it asks for and report what you changed and why you did so.`;
    expect(learnByRules([passage("1", "user", template), passage("2", "user", template)])).toEqual(
      [],
    );
  });
});

it("marks corrections and endings, which require an earlier statement", () => {
  const of = (text: string) => learnByRules([{ id: "1", by: "user", text }]).at(-1);
  expect(of("No, 30 seconds, not 10.")).toMatchObject({ onlyReplaces: true, corrects: true });
  expect(of("The freeze is lifted.")).toMatchObject({ onlyReplaces: true });
  expect(of("Stop using vitest, use node:test")).toMatchObject({ rejects: ["vitest"] });
});

it("parses a long line of markup in linear time", () => {
  const began = performance.now();
  for (const text of ["<a ".repeat(60_000), "`".repeat(100_000), "no, ".repeat(1_400)]) {
    learned(text);
  }
  expect(performance.now() - began).toBeLessThan(2_000);
});
