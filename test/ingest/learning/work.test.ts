import { describe, expect, it } from "vitest";
import { learnByRules } from "../../../src/ingest/learning/index.ts";

const learnedOf = (text: string) =>
  learnByRules([{ id: "passage:1", by: "user", text }]).map((claim) => claim.text);

/** Most of what people say to an agent asks for work or tells of a fault: of neither anything is learned. */
describe("work and faults", () => {
  it.each([
    "Add pagination to the orders endpoint, 50 per page, with a cursor.",
    "Please refactor UserService so that it no longer talks to the database directly.",
    "Write a migration that adds a nullable column archived_at to projects.",
    "rename getCwd to getCurrentWorkingDirectory everywhere",
    "Implement the CSV import we talked about, columns name, email, role.",
    "Invoices for March have the wrong VAT: 19% instead of 7%.",
    "Card totals for CH look wrong again, 10.02 was charged.",
    "there's a memory leak in the websocket handler, rss grows 20MB per hour",
    "CI is red on main, the e2e test 'checkout with coupon' fails with a timeout after 30s",
    "Bau bitte einen CSV-Export für die Bestellungen ein, mit Datum, Kunde und Betrag.",
    "Moin, die Rechnungs-PDFs haben auf Seite 2 keinen Kopf mehr.",
    "Der Nachtlauf hat 4 Stunden statt 40 Minuten gebraucht, finde heraus warum.",
    "Les factures de mars ont la mauvaise TVA, 20 % au lieu de 5,5 %.",
    "Cambia el nombre de ClientManager a ClientService en todas partes.",
    "Le fatture di marzo hanno l'IVA sbagliata, 22% invece di 10%.",
    "Adicione paginação à lista de pedidos, 50 por página.",
    "De build faalt sinds vanochtend met 'out of memory'.",
    "Faktury za marzec mają zły VAT, 23% zamiast 8%.",
    "注文APIにページネーションを追加してください。",
    "カートが空のときにsrc/cart/total.tsでTypeErrorが出ます。",
    "3月の請求書の消費税が間違っています。",
    "给订单接口加上分页，每页50条。",
    "三月的发票税率错了，13%而不是6%。",
  ])("teach nothing: %s", (text) => expect(learnedOf(text)).toEqual([]));
});

describe("what lasts", () => {
  it.each([
    "Every new endpoint gets a test, no exceptions.",
    "Don’t ever push to main without a PR.",
    "no, that’s wrong. the retry limit is 5, not 3",
    "we deploy from main only, never from feature branches",
    "That's wrong, the gateway timeout is 30 seconds, not 10.",
    "wir nehmen postgres, nicht mysql",
    "Tests gehören neben die Datei, nicht in einen eigenen Ordner.",
    "テストはVitestではなくnode:testで書いてください。",
    "キャッシュは使わないでください。",
  ])("is learned although it names a fault or work: %s", (text) => {
    expect(learnedOf(text)).toHaveLength(1);
  });
});
