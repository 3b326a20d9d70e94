import { describe, expect, it } from "vitest";
import { learnByRules } from "../../../src/ingest/learning/index.ts";

const learnedOf = (text: string) =>
  learnByRules([{ id: "passage:1", by: "user", text }]).map((claim) => claim.text);

/** A day's name says when something was decided or begins to hold, or that it is meant for that day alone. */
describe("what was decided today, or holds from today on", () => {
  it.each([
    "As of today we use pnpm instead of npm.",
    "From today on all amounts are stored in cents.",
    "We decided today that the logo goes on every page.",
    "The team agreed this morning to drop support for Node 18.",
    "Ab heute brauchen alle PRs zwei Reviews.",
    "Stimmt nicht mehr: das Logo soll doch auf jede Seite, hat der Chef heute entschieden.",
    "Wir haben heute beschlossen, dass alle Beträge in Cent gespeichert werden.",
    "On a décidé aujourd'hui de garder les montants en centimes.",
    "Hemos decidido hoy que los importes se guardan en céntimos.",
    "Abbiamo deciso oggi che gli importi sono in centesimi.",
    "Decidimos hoje que os valores ficam em centavos.",
    "We hebben vandaag besloten dat bedragen in centen worden opgeslagen.",
    "Ustaliliśmy dzisiaj, że kwoty przechowujemy w groszach.",
    "今日の会議で、金額はセントで保存することに決まりました。",
    "我们今天决定金额以分为单位存储。",
  ])("is learned: %s", (text) => expect(learnedOf(text)).toHaveLength(1));
});

describe("what is for today alone", () => {
  it.each([
    "We decided to skip the tests today.",
    "Let's not touch the database today.",
    "Use the small model today.",
    "Heute bitte keine Migrationen.",
    "Wir lassen die Tests heute weg.",
    "Aujourd'hui on ne touche pas à la base.",
    "Hoy no toques la base de datos.",
    "Oggi niente migrazioni.",
    "Hoje não mexa no banco de dados.",
    "Vandaag geen migraties.",
    "Dzisiaj bez migracji.",
    "今日はマイグレーションをしないで。",
    "今天不要动数据库。",
  ])("is not learned: %s", (text) => expect(learnedOf(text)).toEqual([]));
});
