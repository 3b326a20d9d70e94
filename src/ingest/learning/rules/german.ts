import type { LanguageRules } from "./language-rules.ts";

export const german: LanguageRules = {
  language: "de",
  isSpaced: true,
  preference: [
    "(?:ab jetzt|ab sofort|von jetzt an|von nun an|in zukunft|künftig|zukünftig|grundsätzlich|standardmäßig|jedes mal,? wenn|immer wenn du)",
    "^(?:(?:bitte|und|aber|nein|ok),? )*(?:immer|nie(?:mals)?) ",
    "(?:bitte )?(?:immer|nie(?:mals)?|stets|ausschließlich|keinesfalls|auf keinen fall) .{0,60}(?:verwende[nt]?|benutze[nt]?|nutze[nt]?|nimm|nehmen|schreib\\w*|committe\\w*|pushe\\w*|ändern?|anfassen|ausführen|laufen|machen|werden|sein|lassen)",
    "^(?:(?:bitte|und|aber|nein|ok),? )*(?:verwende|benutze?|nutze?|nimm|schreib(?:e)?|halte? dich|achte|denk(?:e)? daran|merk dir|vermeide?|fass|ändere?|lass|mock(?:e)?|committe?|pushe?|antworte?|formatiere?|stell(?:e)? sicher|sorge? dafür) .{3,}",
    "(?:wir|ich) (?:verwenden?|benutzen?|nutzen?|nehmen?|machen?|schreiben?|committen?|pushen?|mocken?) (?:hier |bei uns )?(?:immer|nie(?:mals)?|nur|stets|ausschließlich|grundsätzlich|keine?)",
    "(?:wir unterstützen|unterstützt wird) (?:nur|ausschließlich)",
    "ich (?:bevorzuge|möchte (?:immer|nie|keine?|dass)|will (?:immer|nie|keine?|dass)|hasse|mag (?:keine?|lieber)|hätte (?:gern|lieber) (?:immer|keine?))",
    "(?:muss|müssen|soll|sollen|darf|dürfen) (?:immer|nie(?:mals)?|nicht|nur|stets|keine?|ausschließlich)",
    "(?:ist|sind) (?:tabu|verboten|nicht erlaubt|pflicht)",
  ],
  decision: [
    "(?:haben? (?:uns|mich) .{0,60}(?:entschieden|geeinigt|festgelegt)|ha(?:t|be|ben) .{0,60}(?:beschlossen|entschieden|vereinbart|festgelegt)|(?:es|so) bleibt (?:bei|es|dabei)|wir bleiben bei|wir (?:wechseln|steigen|stellen) .{1,50}(?:um|zu|auf)|wir nehmen (?:jetzt|künftig|nun)|lass uns .{2,50} (?:nehmen|verwenden|nutzen))",
    "^(?:entscheidung|beschluss|beschlossen|vereinbart|festgelegt|entschieden|endgültig)\\b[^?]{0,30}[:—–-]",
    "(?:haben? (?:es|uns|meine meinung|unsere meinung)? ?(?:uns )?(?:anders überlegt|geändert)|meinung geändert)",
    "(?:sind|bin) .{0,30}(?:auf .{2,40} umgestiegen|zu .{2,40} gewechselt)",
  ],
  decided: ["(?:wir haben (?:uns )?.{0,60}(?:entschieden|beschlossen|vereinbart|geeinigt))"],
  correction: [
    "^(?:nein|nee|falsch|halt|moment|stopp|korrektur|doch nicht|eigentlich|quatsch)(?: nein)?[,.!:;—– -]",
    "(?:das (?:ist|war|stimmt) (?:so )?(?:falsch|nicht (?:richtig|korrekt|mehr)?|veraltet|überholt)|stimmt (?:so )?nicht|nicht mehr|stattdessen|anders überlegt|meinung geändert|war falsch|doch (?:wieder|lieber)|ersetzt|geändert|statt(?: dessen)?|anstatt|anstelle)",
    "sondern",
    ", nicht .{1,40}",
  ],
  rejection: [
    "(?:statt|anstatt|anstelle von|anstelle|und nicht) (?:de[rsmn]? |eine[rsmn]? |von )?(.+?)(?=[,;.!?)]|$| (?:zu|für|in|als|weil|da|—|–|-) )",
    "(?:, |^|^nein, |ist |sind )nicht (?:mehr )?(?:de[rsmn]? |die |das |eine? |in |auf |mit )?(.+?)(?=[,;.!?)]|$| (?:sondern|mehr|weil|da|für|in|als|—|–) )",
    "(?:kein|keine|keinen) (.+?) (?:mehr)",
    "von (.{2,30}?) (?:auf|zu) .{2,30}",
  ],
  fact: [
    "^(?:der|die|das|unsere?|mein|alle|jede[rs]?|dieses projekt) (?!(?:test|build|seite|app|server|fehler|problem)s? (?:ist|sind) (?:kaputt|rot|langsam|down))[^,;:]{2,70}? (?:ist|sind|liegt|liegen|läuft|laufen|nutzt|verwendet|lauscht|erwartet|braucht|benötigt|unterstützt|liefert|enthält|hat|haben|bleibt|gehört|heißt|beträgt)\\b",
    "^wir (?:nutzen|verwenden|hosten|deployen|betreiben|speichern|haben|arbeiten|entwickeln) ",
  ],
  failed: [
    "(?:wir|ich) haben? .{0,60}(?:schon |bereits )?(?:probiert|versucht|ausprobiert)",
    "(?:hat|haben) (?:nicht|nichts) (?:geholfen|funktioniert|gebracht|geklappt)",
  ],
  outcome: [
    "(?:die )?ursache (?:war|ist|lag)",
    "(?:das problem|der fehler|der grund|der bug) (?:war|lag)",
    "(?:behoben|gelöst) (?:durch|indem|mit)",
  ],
  passing: [
    "(?:erst ?mal|fürs erste|vorerst|gerade|(?<!(?:ab|seit|von) )heute(?! .{0,40}(?:entschieden|beschlossen|vereinbart|festgelegt|geeinigt))|morgen|diesmal|dieses mal|nur dieses|nur hier|im moment|momentan|zurzeit|vorläufig|kurz|später|eben|noch nicht|bis (?:morgen|später|montag|ich|wir)|für diese[ns]? (?:commit|pr|branch|demo|lauf)|für die demo|diese woche|weiter so|mach weiter|schon gut|egal)",
    "^(?:lass mich|ich (?:werde|schaue|prüfe|fange|beginne|mache)|als nächstes)",
    "(?:option|variante|vorschlag|nummer) (?:\\d|eins|zwei|drei|a|b)\\b",
    "(?:die|den|das) (?:erste|zweite|dritte|letzte|andere)n? (?:option|variante|vorschlag|lösung)?",
    "^(?:noch )?nie (?:gesehen|gehört|gehabt)",
    "(?:habe?|hab) (?:ich )?(?:noch )?nie ",
    "(?:bitte )?(?:beheb|reparier|fix)\\w*(?: das| es)?[.!]?$",
  ],
  request: [
    String.raw`^(?!.*(?:immer|nie(?:mals)?|jede[rsmn]?|stets|ab jetzt|ab sofort)(?!\p{L}))(?:(?:bitte|ok|und|jetzt|dann|moin|hallo|kannst du|könntest du|als nächstes),?:? )*(?:aktivier|aktualisier|änder|bau|beheb|benenn|blend|bring|deaktivier|dreh|entfern|erhöh|erklär|erstell|erweiter|fass|find|füg|generier|gib|häng|heb|implementier|installier|kopier|kürz|leg|lös|lösch|mach|migrier|öffn|optimier|prüf|räum|refaktorier|reparier|schau|schick|schreib(?:e)? (?:eine?n?|mir|das|die|den)|senk|setz|sieh|sorg|speicher|start|such|tausch|teil|teste (?:das|die|den|es|mal)|übernimm|übersetz|umbenenn|validier|vereinfach|vergleich|verkleiner|verschieb|wandl|wechsl|zeig|zieh)(?:e|iere?|le)? `,
    "^(?:ich|wir) (?:brauchen?|hätten? gern|möchten? (?:eine?|die|den|das)|wollen?|will) ",
  ],
  trouble: [
    String.raw`(?:falsch|kaputt|leer|fehlt|fehlen|langsam|doppelt|zweimal|zu (?:spät|früh|lang|groß)|hängt|verschwindet|verdeckt|überlappt|springt|bricht|stürzt|wirft|läuft .{0,20}in einen timeout|tut .{0,30}nichts|findet .{0,30}(?:nichts|nicht)|nicht (?:gelaufen|angekommen)|0 treffer|daneben|stimmt nicht überein|endlos|keine .{1,30} mehr)`,
    String.raw`(?:nutzer|kunde|kundin|kunden)\w* .{0,20}(?:meldet?n?|beschwer\w+)`,
    "(?:keinen?|keine) .{1,20} mehr$",
    "ich (?:bekomme|kriege|sehe) ",
    "schon wieder|seit (?:dem|heute|gestern|der)",
    "gedauert|gebraucht",
  ],
  supposing: [
    "^(?:vielleicht|eventuell|angenommen|was wäre|wenn wir (?:mal|irgendwann|jemals)|sollten wir|könnten wir|können wir|wollen wir|sollen wir|ob|warum|wie|was|welche[rs]?|wo|wann|wer)",
    "(?:vielleicht|möglicherweise|eventuell|wäre (?:schön|gut|besser|eine option|möglich)|könnte(?:n|st)?|würde(?:n|st)?|überlege|bin (?:mir )?nicht sicher|theoretisch|wahrscheinlich|vermutlich|glaube)",
  ],
  reporting: [
    "(?:sagt|sagte|schreibt|schrieb|behauptet|meint|empfiehlt|steht|laut|heißt es|zufolge|meldet)",
  ],
  agreement: [
    "^(?:ja|genau|richtig|stimmt|passt|einverstanden|perfekt|super|gut|mach das|so machen wir)",
  ],
  recap: [
    "^(?:zusammenfassung|kurz gefasst|zusammengefasst|festgehalten|beschlossen|endgültig|verstanden|erledigt|also gilt|die regel|final|fazit)\\b[^.?!]{0,60}[:—–,-]",
  ],
  examples: [
    ["Ab jetzt immer `npm run lint` vor jedem Commit ausführen.", "preference"],
    ["Bitte verwende pnpm statt npm.", "preference"],
    ["Wir haben uns für PostgreSQL entschieden.", "decision"],
    ["Wir haben es uns anders überlegt: Beträge sind jetzt Decimal statt Cent.", "decision"],
    ["Nein, der Timeout ist 30 Sekunden, nicht 10.", "fact"],
    ["Lass die Tests erst mal weg.", null],
    ["Sollten wir immer Tabs verwenden?", null],
    ["In der README steht, man soll immer yarn verwenden.", null],
  ],
};
