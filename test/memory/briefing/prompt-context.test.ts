import { expect, it } from "vitest";
import { openMemory } from "../../../src/index.ts";
import { createPromptContext } from "../../../src/memory/index.ts";

const RULE =
  "No, only the digit strings with a leading zero. Every other field of the export is quoted where it has a comma or a quote, and rows end with CRLF.";
const SENTENCE =
  "Every other field of the export is quoted where it has a comma or a quote, and rows end with CRLF.";
const PROMPT =
  "A field of the export with a comma spills into the next column, fix the export of rows";

async function withSession(memory: ReturnType<typeof openMemory>): Promise<void> {
  await memory.read_source({
    ...{ kind: "claude-code", key: "export" },
    passages: [
      ["user", "The export to the ERP loses zeros: 00042 came in as 42."],
      ["assistant", "Should I write every field of the export in the form of a formula?"],
      ["user", RULE],
    ].map(([by = "", text = ""], index) => ({
      ...{ key: String(index), role: "turn" as const, by, text },
      occurred_at: `2026-03-01T09:0${index}:00Z`,
    })),
  });
}

it("shows the whole passage instead of the statement extracted from it", async () => {
  await using memory = openMemory({ path: ":memory:", embedding: { provider: "none" } });
  await withSession(memory);
  await memory.remember({ content: SENTENCE, episode_type: "decision" });
  await memory.remember({
    content: "The export of rows always has a header with a comma after each field.",
    episode_type: "decision",
  });
  const { text = "" } =
    (await createPromptContext(memory, { prompt: PROMPT, shown: new Set(), timeoutMs: 60_000 })) ??
    {};
  expect(text).toContain(RULE);
  expect(text.split("Every other field of the export")).toHaveLength(2);
  expect(text).toContain("always has a header");
});

it("shows the best passage with the exceptions to its rule", async () => {
  await using memory = openMemory({ path: ":memory:", embedding: { provider: "none" } });
  const filler = "Replicas were compared for a month and all of them agreed with each other. ";
  const rule = `Every event of the ledger has the next sequence number. ${filler.repeat(6)}The only exception is a marker of the archiver, which skips ahead by 100. ${filler.repeat(6)}A gap in the ledger is an error.`;
  await memory.read_source({
    ...{ kind: "claude-code", key: "ledger" },
    passages: [
      {
        ...{ key: "0", role: "turn" as const, by: "user", text: rule },
        occurred_at: "2026-03-01T09:00:00Z",
      },
    ],
  });
  const prompt = "A gap in the sequence number of the ledger is not an error, fix the event";
  const context = await createPromptContext(memory, {
    prompt,
    shown: new Set(),
    timeoutMs: 60_000,
  });
  expect(rule.length).toBeGreaterThan(1_000);
  expect(context?.text).toContain(rule);
});

it("shows both sides of a dispute, the newer one first", async () => {
  await using memory = openMemory({ path: ":memory:", embedding: { provider: "none" } });
  for (const [content, day] of [
    ["Use vitest, not jest", "01"],
    ["We use jest now, not vitest", "09"],
  ] as const) {
    const occurred_at = `2026-03-${day}T09:00:00Z`;
    await memory.remember({ content, episode_type: "preference", occurred_at });
  }
  const request = {
    prompt: "should the module use jest or vitest",
    shown: new Set<string>(),
    timeoutMs: 60_000,
  };
  const { text = "" } = (await createPromptContext(memory, request)) ?? {};
  expect(text).toMatch(/ep:2, 2026-03-09, disputed in conflict:1[\s\S]*ep:1, 2026-03-01, disputed/);
});

const TESTS_ARE_SLOW = {
  English:
    "Settled: go on and run the tests in four parts, yes, continue where the last run stopped",
  German:
    "Beschlossen: ja, führe die Tests in vier Teilen aus und mach weiter, wo der letzte Lauf aufhörte",
  French:
    "Décidé : oui, lance les tests en quatre parties et continue où la dernière s'est arrêtée",
  Spanish: "Decidido: sí, ejecuta las pruebas en cuatro partes y sigue donde pararon",
  Portuguese: "Decidido: sim, execute os testes em quatro partes e continue onde pararam",
  Italian: "Deciso: sì, esegui i test in quattro parti e vai avanti dove si erano fermati",
  Dutch: "Besloten: ja, voer de tests in vier delen uit en ga door waar ze stopten",
  Polish:
    "Postanowiono: tak, uruchom testy w czterech częściach i kontynuuj od miejsca, gdzie stanęły",
  Russian: "Решено: да, запусти тесты в четыре части и продолжай с места остановки",
  Turkish: "Karar: evet, testleri dört parça çalıştır ve kaldığı yerden devam et",
  Chinese: "决定：好的，测试分四部分运行，然后从停止的地方继续",
  Japanese: "決定：はい、テストは四つに分けて実行し、止まった所から続けてください",
  Korean: "결정: 네, 테스트는 네 부분으로 실행하고 멈춘 곳에서 계속해줘",
};

it("returns nothing for a continuation prompt in any language", async () => {
  await using memory = openMemory({ path: ":memory:", embedding: { provider: "none" } });
  for (const [index, text] of Object.values(TESTS_ARE_SLOW).entries()) {
    await memory.remember({ content: text, episode_type: "decision" });
    await memory.read_source({
      ...{ kind: "claude-code", key: String(index) },
      passages: [{ key: "0", by: "user", text, occurred_at: "2026-03-01T09:00:00Z" }],
    });
  }
  const shown = async (prompt: string) =>
    (await createPromptContext(memory, { prompt, shown: new Set(), timeoutMs: 60_000 }))?.text ??
    "";
  const prompts = `continue; run the tests; yes; ok go on; looks good, next step please; run the tests once more
    weiter; führe die Tests aus; ja; ok, mach weiter; lass die Tests nochmal laufen; weiter mit dem nächsten Schritt
    continue; lance les tests; oui; ok vas-y; c'est bon, continue; passe à l'étape suivante
    continúa; ejecuta las pruebas; sí; ok, sigue; corre los tests otra vez; vale, adelante
    continua; execute os testes; sim; ok, continue; rode os testes de novo; pode seguir
    continua; esegui i test; sì; ok, vai avanti; rilancia i test; va bene, procedi
    ga door; voer de tests uit; ja; ok, ga verder; draai de tests nog een keer; ziet er goed uit
    kontynuuj; uruchom testy; tak; ok, dalej; uruchom testy jeszcze raz; wygląda dobrze
    продолжай; запусти тесты; да; ок, дальше; запусти тесты ещё раз; хорошо, продолжай
    devam et; testleri çalıştır; evet; tamam, devam et; testleri tekrar çalıştır; lütfen devam et
    继续; 运行测试; 是; 好的，继续; 再运行一次测试; 看起来不错，继续
    続けて; テストを実行して; はい; OK、続けて; もう一度テストを実行して; そのまま続けてください
    계속해줘; 테스트를 실행해줘; 네; 좋아, 계속; 테스트를 다시 실행해줘; 계속 진행해 주세요`;
  for (const prompt of prompts.split(/[;\n]/)) expect(await shown(prompt.trim()), prompt).toBe("");
  expect(await shown("ok, go on: run the tests in four parts")).toContain("four parts");
  expect(await shown("ja, mach weiter mit den Tests in vier Teilen")).toContain("vier Teilen");
  expect(await shown("继续：测试分四部分")).toContain("四部分");
});

it("ignores folder names in paths", async () => {
  await using memory = openMemory({ path: ":memory:", embedding: { provider: "none" } });
  for (const content of [
    "Billing: src/billing/invoice.ts rounds every line before it adds them up.",
    "Reports are rendered in src/reports/render.ts, one file for each format.",
    "Payments retry three times in src/payments/client.ts before they give up.",
    "The price list is read once at the start of the server.",
  ]) {
    await memory.remember({ content, episode_type: "decision" });
  }
  const about = async (prompt: string) =>
    (await createPromptContext(memory, { prompt, shown: new Set(), timeoutMs: 60_000 }))?.text ??
    "";
  expect(await about("Rename the variable l to line in src/price.ts")).toBe("");
  const found = await about("payments ECONNRESET in src/payments/client.ts");
  expect(found).toContain("Payments retry three times");
  expect(found).not.toMatch(/Billing|Reports|price list/);
});

it("excludes questions and continuations from outcomes", async () => {
  await using memory = openMemory({ path: ":memory:", embedding: { provider: "none" } });
  await memory.read_source({
    ...{ kind: "claude-code", key: "logo" },
    passages: [
      "Where does the logo of the invoices stand, on which pages?",
      "the logo of the invoices belongs on every page, the boss decided that",
      "mach weiter",
      "run the tests",
    ].map((text, index) => ({
      ...{ key: String(index), role: "turn" as const, by: "user", text },
      occurred_at: `2026-03-01T09:0${index}:00Z`,
    })),
  });
  const prompt = "On which pages of the invoices does the logo stand?";
  const context = await createPromptContext(memory, {
    prompt,
    shown: new Set(),
    timeoutMs: 60_000,
  });
  expect(context?.text).toContain("belongs on every page");
  expect(context?.text).not.toMatch(/Where does|mach weiter|run the tests/);
});
