import type { Language } from "./language.ts";

export const polish: Language = {
  code: "pl",
  hasSpaces: true,
  functionWords:
    "w we z ze na do od dla o po przy przez pod nad i a lub ale jeśli że to ten ta te tego tej tym my nas nasz nasza ja mój ty twój on ona ono oni jest są był była było być będzie mamy ma musi muszą może nie nigdy zawsze tylko teraz już więcej też także proszę zamiast raczej używaj używać używamy użyj zdecydowaliśmy postanowiliśmy zmieniliśmy zdanie źle błąd właściwie tutaj wszystko każdy bo ponieważ aż przed projekt",
  reasons: ["ponieważ", "gdyż"],
  negations: ["zamiast", "nie", "nigdy"],
  negated: [],
  afterNegation: "",
  amendments: ["zamiast|już nie|od teraz"],
  agreements: ["^(?:tak|dokładnie|zgadza się|zgoda|dobrze|świetnie|ok|jasne|właśnie|pewnie)"],
  reservations: "ale oprócz tylko",
  objections: ["^(?:nie|źle|właściwie|to nie)", "zamiast"],
  preference: [
    "od teraz|od tej pory|odtąd|z zasady",
    "^(?:(?:proszę|i|a|ale|nie|ok),? )*(?:zawsze|nigdy nie|nigdy) \\p{L}+",
    "(?:musi|muszą|powinien|powinna|powinno|powinny) (?:zawsze|być zawsze|tylko)|nie wolno|nigdy nie (?:powinien|powinna|powinno|może)",
    "wolę (?!pierwsz|drug|to|ten|tę)",
    "^(?:używaj|użyj) .{2,40} zamiast ",
  ],
  decision: [
    "(?:zdecydowaliśmy|postanowiliśmy|ustaliliśmy|uzgodniliśmy|zespół (?:zdecydował|postanowił))",
    "przeszliśmy na|przechodzimy na|zostajemy przy|rezygnujemy z|będziemy używać",
    "zmieni(?:liśmy|łem|łam) zdanie",
    "nie (?:może|mogą|powinien|powinna|powinno|powinny) ",
  ],
  fact: ["^(?:w|dla|na) .{2,40}używamy "],
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
  ending: [
    "zapomnij,? (?:o tym,? )?co (?:mówiłem|mówiłam|powiedziałem|powiedziałam) o ([^,.;!]+)",
    "nie musisz już ([^,.;!]+)",
    "^(.{3,80}?) (?:jest|są) (?:już|teraz|znowu) (?:ok|dozwolon\\w+|w porządku)",
    "^(.{3,80}?) (?:został\\w*|jest|są) (?:zniesion\\w+|odwołan\\w+|anulowan\\w+|nieaktualn\\w+)",
    "^(.{3,80}?) (?:został\\w*|jest) (?:zwiększon\\w+|zmniejszon\\w+|podniesion\\w+|zmienion\\w+) do ",
    "to (?:już )?nie(?:prawda| jest już prawda|aktualne)",
  ],
  dangling: ["^(?:(?:i|ale|tak|nie|ok),? )*to (?:jest|nie|było)"],
  retraction: ["^(?:nie|źle|błąd|korekta|właściwie)[,.:;!—–-]", "zmieni(?:liśmy|łem|łam) zdanie"],
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
    "(?:zł[yaą]|źle|pust[yae]|biał[yae]|zepsut[yae]|woln[oy]|brakuje|dwa razy|rzuca|przekracza|nic nie robi|nie znajduje|nie przychodzi|nie uruchomił|znika|zasłania|wraca na górę|kończy się)",
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
};
