import type { LanguageRules } from "./language-rules.ts";

export const polish: LanguageRules = {
  language: "pl",
  isSpaced: true,
  preference: [
    "(?:od teraz|od tej pory|odtąd|na przyszłość|w przyszłości|domyślnie|z zasady|za każdym razem,? (?:gdy|kiedy))",
    "^(?:(?:proszę|i|a|ale|nie|ok),? )*(?:zawsze|nigdy|używaj|używajmy|stosuj|pisz|unikaj|pamiętaj|upewnij się|uruchamiaj|trzymaj|nazywaj|odpowiadaj|zapisuj|dbaj|nie (?:używaj|ruszaj|dotykaj|zmieniaj|pisz|rób|mockuj|commituj|wrzucaj|dodawaj|instaluj|modyfikuj|usuwaj|edytuj)) .{2,}",
    "(?:zawsze|nigdy|tylko|wyłącznie|jedynie) .{0,30}(?:używaj\\w*|używamy|piszemy|pisz|stosuj\\w*|robimy|po angielsku|po polsku|wspieramy|obsługujemy)",
    "(?:używamy|piszemy|stosujemy|wspieramy|obsługujemy) (?:zawsze|tylko|wyłącznie|jedynie)",
    "(?:wolę|chcę,? żeby|nie chcę|nienawidzę|nie lubię|preferuję)",
    "(?:musi|muszą|powinien|powinna|powinno|powinny|trzeba|należy|nie wolno|nie może) ",
    "(?:jest|są) (?:zabronion\\w+|zakazan\\w+|obowiązkow\\w+)",
  ],
  decision: [
    "(?:zdecydowaliśmy|zdecydowałem|zdecydowałam|postanowiliśmy|postanowiłem|ustaliliśmy|uzgodniliśmy|wybraliśmy|przeszliśmy na|przechodzimy na|zespół (?:zdecydował|postanowił))",
    "^(?:decyzja|postanowione|ustalone|uzgodnione|ostatecznie|poprawka)\\b[^?]{0,30}[:—–-]",
    "(?:zostajemy przy|zostańmy przy|idziemy w|bierzemy|użyjmy|będziemy używać|rezygnujemy z|migrujemy)",
    "(?:zmieniliśmy zdanie|zmieniłem zdanie|zmieniłam zdanie)",
  ],
  decided: ["(?:zdecydowaliśmy|postanowiliśmy|ustaliliśmy)"],
  correction: [
    "^(?:nie|źle|błąd|czekaj|właściwie|poprawka|jednak|nieprawda)(?: nie)?[,.!:;—–]",
    "^(?:właściwie|jednak|w rzeczywistości|czekaj)",
    "(?:to (?:jest )?(?:błędn\\w+|nieprawd\\w+|źle|nieaktualn\\w+)|to nie (?:tak|jest)|już nie|zmieni\\w+ zdanie|zamiast|zastępuj\\w+|, (?:a )?nie .{1,40})",
  ],
  rejection: [
    "(?:zamiast) (.+?)(?=[,;.!?)]|$| (?:do|dla|bo|w|jako|ponieważ|—|–|-) )",
    "(?:, |^)(?:a )?nie (?:w |na |przez )?(.+?)(?=[,;.!?)]|$| (?:ale|lecz|do|dla|bo|w|—|–) )",
    "już nie (?:używamy |jest )?(.+?)(?=[,;.!?)]|$)",
  ],
  fact: [
    "^(?:nasz\\w*|każd\\w+|wszystkie|ten projekt|serwer|baza|limit|port|timeout|api)[^,;:]{2,70}? (?:jest|są|działa|działają|używa|używają|nasłuchuje|wymaga|obsługuje|zwraca|zawiera|ma|mają|należy|wynosi|znajduje się|wygasa)(?= )",
    "^(?:używamy|hostujemy|trzymamy|pracujemy|mamy|wdrażamy) ",
  ],
  failed: [
    "(?:już )?(?:próbowaliśmy|próbowałem|próbowałam|testowaliśmy)",
    "nie (?:zadziałało|pomogło|działało|zadziałał)",
  ],
  outcome: [
    "(?:główną )?przyczyną (?:był|była|było|jest)",
    "(?:problemem|błędem|powodem) (?:był|była|było|jest)",
    "(?:naprawione|rozwiązane|naprawiłem|naprawiliśmy) (?:przez|dzięki|poprzez)",
  ],
  passing: [
    "(?:na razie|na teraz|chwilowo|(?<!od )teraz|(?<!(?:od|zdecydowaliśmy|postanowiliśmy|ustaliliśmy) )(?:dzisiaj|dziś)(?! (?:zdecydowaliśmy|postanowiliśmy|ustaliliśmy))|jutro|tym razem|tylko (?:ten|tym|teraz)|później|potem|tymczasowo|jeszcze nie|dla tego (?:commita|pr|brancha|demo)|na (?:potrzeby )?demo|w tym tygodniu|nieważne|mniejsza|kontynuuj|dalej|zaraz)",
    "^(?:pozwól|sprawdzę|zacznę|zobaczę|najpierw)",
    "(?:opcj\\w+|wariant|numer|propozycj\\w+) (?:\\d|jeden|dwa|trzy|a|b)\\b",
    "(?:pierwsz\\w+|drug\\w+|trzeci\\w*|ostatni\\w*) (?:opcj\\w+|wariant\\w*|propozycj\\w+)",
    "nigdy (?:tego |takiego )?(?:\\w+ )?(?:nie )?(?:widziałem|widziałam|słyszałem|miałem)",
  ],
  request: [
    "^(?:(?:proszę|ok|i|cześć|teraz|potem|możesz),? )*(?:dodaj|napisz|zaimplementuj|popraw|napraw|zrefaktoryzuj|zmień|usuń|przenieś|podziel|utwórz|zrób|zastąp|podnieś|uruchom|sprawdź|zajrzyj|wygeneruj|pokaż|wyjaśnij|opisz|przetłumacz|podsumuj) ",
    "^(?:potrzebuję|chcę|potrzebujemy|chciałbym) ",
  ],
  trouble: [
    String.raw`(?:zł[yaą]|źle|pust[yae]|biał[yae]|zepsut[yae]|woln[oy]|brakuje|dwa razy|rzuca|przekracza|nic nie robi|nie znajduje|nie przychodzi|nie uruchomił|znika|zasłania|wraca na górę|kończy się)`,
    "(?:zgłaszają|skarżą się|skarży się), że",
    "dostaję",
    "od (?:rana|wczoraj|aktualizacji)",
    "trwała? .{1,30} zamiast",
  ],
  supposing: [
    "^(?:może|a gdyby|gdybyśmy|załóżmy|wyobraź|czy|dlaczego|jak|co|który|która|gdzie|kiedy|kto|po co)(?= )",
    "(?:być może|może|moglibyśmy|mógłby|byłoby|zastanawiam się|nie jestem pew\\w+|teoretycznie|prawdopodobnie|chyba|myślę)",
  ],
  reporting: [
    "(?:mówi|mówił\\w*|pisze|napisał\\w*|twierdzi|zaleca|poleca|według|zgodnie z|stoi)(?= |,)",
  ],
  agreement: ["^(?:tak|dokładnie|zgadza się|zgoda|dobrze|świetnie|ok|jasne|właśnie|pewnie)"],
  recap: [
    "^(?:podsumowanie|podsumowując|w skrócie|ostatecznie|ustalone|postanowione|zrozumiałem|gotowe|zasada)\\b[^.?!]{0,60}[:—–,-]",
  ],
  examples: [
    ["Od teraz zawsze uruchamiaj testy przed każdym commitem.", "preference"],
    ["Używaj pnpm zamiast npm.", "preference"],
    ["Zdecydowaliśmy trzymać kwoty w groszach.", "decision"],
    ["Nie, limit czasu wynosi 30 sekund, nie 10.", "fact"],
    ["Na razie zostaw testy.", null],
  ],
};
