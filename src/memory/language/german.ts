import type { Language } from "./language.ts";

export const german: Language = {
  code: "de",
  hasSpaces: true,
  functionWords:
    "der die das den dem des ein eine einen einem einer eines dieser diese dieses wir uns unser unsere unserem unseren ich mein meine du dein sie ihr ihre es man zu zum zur von vom in im an am auf für mit bei nach aus über unter als und oder aber wenn dann so dass ist sind war waren sein wird werden wurde haben hat hatte soll sollen sollte muss müssen darf kann können nicht nein kein keine keinen nie niemals immer nur jetzt wieder noch mehr auch bitte statt anstatt stattdessen sondern lieber verwende verwenden verwendet benutze benutzen nutze nutzen nutzt nimm nehmen nimmt entschieden beschlossen überlegt anders geändert meinung falsch stimmt richtig eigentlich doch hier alle alles jede jeder jedes weil da bis vor projekt ab sofort künftig machen macht bleibt bleiben umgestiegen wechseln gewechselt",
  reasons: ["weil", "da(?=\\s+\\p{L}+\\s+\\p{L}+)", "denn"],
  negations: [
    "statt",
    "anstatt",
    "anstelle(?: von)?",
    "nicht(?: mehr)?",
    "keine?[nmrs]?",
    "nie(?:mals)?",
  ],
  negated: [],
  afterNegation: "mit als auf für de[rnms]? die das",
  amendments: ["ersetzt|geändert|stattdessen|nicht mehr|ab jetzt|ab sofort"],
  dropped: [
    "(\\S+) (?:ist|sind|wurden?) (?:jetzt |nun )?(?:tot|weg|abgeschafft|entfernt|gelöscht|abgelöst|Geschichte)",
    "(?:keine?[nrs]?|ohne) (\\S+) mehr",
  ],
  changes: [
    "jetzt|nun|nicht mehr|keine?[nrs]? .{1,30} mehr|ab sofort|künftig|seit (?:heute|dem)|umgestellt|umgestiegen|gewechselt|verschoben|geändert|ersetzt|abgeschafft",
    "^doch ",
  ],
  agreements: [
    "^(?:ja|genau|richtig|stimmt|passt|einverstanden|perfekt|super|gut|mach das|so machen wir)",
  ],
  reservations: "aber außer nur statt",
  objections: [
    "^(?:nein|nee|nicht|falsch|stimmt nicht|doch|so nicht)",
    "statt|anstatt|sondern|lieber",
  ],
  preference: [
    "ab jetzt|ab heute|ab sofort|von jetzt an|von nun an|künftig|zukünftig|grundsätzlich",
    "^(?:(?:bitte|und|aber|nein|ok),? )*(?:immer|nie(?:mals)?) (?!wieder|gesehen|gehört)",
    "^(?:(?:bitte|und|aber|nein|ok),? )*\\p{L}+ (?:immer|nie(?:mals)?|ausschließlich|stets) ",
    "(?:muss|müssen|soll|sollen|darf|dürfen|kommt|kommen) (?:immer|nie(?:mals)?|nur|stets|ausschließlich)",
    "ich (?:bevorzuge|mag lieber)",
    "^(?:bitte )?(?:verwende|benutze|nutze|nimm) .{2,40} (?:statt|anstatt|anstelle von) ",
  ],
  decision: [
    "(?:haben? (?:uns|mich) .{0,60}(?:entschieden|geeinigt|festgelegt)|ha(?:t|be|ben) .{0,60}(?:beschlossen|vereinbart|festgelegt))",
    "^wir (?:nehmen|verwenden|nutzen) (?:\\S+ ){0,3}\\S+, (?:und )?nicht \\S+(?: \\S+)?[.!]?$",
    "(?:haben? (?:es|uns|meine meinung|unsere meinung)? ?(?:uns )?(?:anders überlegt|geändert)|meinung geändert)",
    "wir (?:bleiben bei|wechseln (?:zu|auf)|steigen .{1,40}um|stellen .{1,40} um)|(?:es|so) bleibt (?:bei|dabei)",
    "(?:soll|sollen|darf|dürfen) (?:nicht|kein\\w*) .{3,}",
    "(?:soll|sollen|darf|muss) .{0,40}(?:kein|keine|keinen) .{2,50} sondern ",
    "(?:gehört|gehören|soll|sollen|bleibt|bleiben|liegt) .{2,60}, nicht (?:\\S+ ){0,3}\\S+[.!]?$",
    "(?:sind|bin) .{0,30}(?:auf .{2,40} umgestiegen|zu .{2,40} gewechselt)",
  ],
  fact: [
    "^(?:in|für|auf) (?:der|dem|den|unser\\w+) .{2,40}(?:nutzen|verwenden|benutzen) wir ",
    "^wir (?:nutzen|verwenden|hosten|deployen|betreiben|unterstützen) (?:\\S+ ){1,8}\\S+$",
    "^(?:der|die|das|unsere?) (?:\\S+ ){1,6}(?:ist|sind|liegt|beträgt|läuft|lauscht) (?:\\p{L}+ )?(?:port )?\\d+(?:[.,]\\d+)? ?\\p{L}*[.!]?$",
  ],
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
  ending: [
    "vergiss,? was ich (?:über|zu[rm]?) ([^,.;!]+?) (?:gesagt|geschrieben) habe|vergiss das mit ([^,.;!]+)",
    "du (?:musst|brauchst) (?:mich )?nicht mehr ([^,.;!]+)",
    "^(.{3,80}?) (?:ist|sind) (?:jetzt |wieder )+(?:ok|in ordnung|erlaubt|möglich)",
    "^(.{3,80}?) (?:ist|sind|wurde|wurden) (?:aufgehoben|vorbei|hinfällig|gestrichen|vom tisch)",
    "^(.{3,80}?) (?:wurde|wurden|ist|sind) (?:jetzt )?auf .{1,30} (?:erhöht|gesenkt|angehoben|verlängert|verkürzt|geändert)",
    "das (?:stimmt|gilt) (?:so )?nicht mehr",
    "(?:wir|ich) (?:machen|nutzen|verwenden|brauchen) ([^,.;!]+?) nicht mehr",
  ],
  dangling: [
    "^(?:(?:und|aber|also|ja|nein|ok),? )*(?:das|es|dies|diese) (?:ist|sind|war|wird|hat|muss|müssen|soll|darf|kann)",
  ],
  retraction: [
    "^(?:nein|nee|falsch|korrektur|doch nicht|eigentlich|quatsch)[,.:;!—–-]",
    "(?:anders überlegt|meinung geändert|das (?:ist|war) (?:falsch|veraltet|überholt)|(?:stimmt|gilt) (?:so )?nicht mehr)",
  ],
  temporary: [
    "(?:erst ?mal|fürs erste|vorerst|gerade|(?<!(?:ab|seit|von) )heute(?! .{0,40}(?:entschieden|beschlossen|vereinbart|festgelegt|geeinigt))|morgen|diesmal|dieses mal|nur dieses|nur hier|im moment|momentan|zurzeit|vorläufig|kurz|später|eben|noch nicht|bis (?:morgen|später|montag|ich|wir)|für diese[ns]? (?:commit|pr|branch|demo|lauf)|für die demo|diese woche|weiter so|mach weiter|schon gut|egal)",
    "^(?:lass mich|ich (?:werde|schaue|prüfe|fange|beginne|mache)|als nächstes)",
    "(?:option|variante|vorschlag|nummer) (?:\\d|eins|zwei|drei|a|b)\\b",
    "(?:die|den|das) (?:erste|zweite|dritte|letzte|andere)n? (?:option|variante|vorschlag|lösung)?",
    "^(?:noch )?nie (?:gesehen|gehört|gehabt)",
    "(?:habe?|hab) (?:ich )?(?:noch )?nie ",
    "(?:bitte )?(?:beheb|reparier|fix)\\w*(?: das| es)?[.!]?$",
  ],
  request: [
    "^(?!.*(?:immer|nie(?:mals)?|jede[rsmn]?|stets|ab jetzt|ab sofort)(?!\\p{L}))(?:(?:bitte|ok|und|jetzt|dann|moin|hallo|kannst du|könntest du|als nächstes),?:? )*(?:aktivier|aktualisier|antwort|änder|bau|beheb|benenn|blend|bring|deaktivier|dreh|entfern|erhöh|erklär|erstell|erweiter|fass|find|formul|füg|generier|gib|häng|heb|implementier|installier|kopier|korrig|kürz|leg|lös|lösch|mach|migrier|öffn|optimier|prüf|räum|refaktorier|sag|reparier|schau|schick|schreib(?:e)? (?:eine?n?|mir|das|die|den)|senk|setz|sieh|sorg|speicher|start|such|tausch|teil|teste (?:das|die|den|es|mal)|übernimm|übersetz|umbenenn|validier|vereinfach|verfass|vergleich|verkleiner|verschieb|wandl|wechsl|zeig|zieh)(?:e|iere?|le)? ",
    "^(?:ich|wir) (?:brauchen?|hätten? gern|möchten? (?:eine?|die|den|das)|wollen?|will) ",
  ],
  material: [
    "(?:übersetz|formulier|umformulier|fass|korrigier|umschreib|schreib|erklär|verbesser|kürz|prüf|überarbeit)\\w* (?:(?:mir|bitte|mal|den|die|das|diese[nrsm]?|folgende[nrsm]?|obige[nrsm]?|meine[nrsm]?) )+(?:satz|sätze|texte?|absatz|nachricht|e?-?mail|formulierung|regel|zitat|grammatik|rechtschreibung)",
    "(?:übersetz|formulier|fass)\\w* (?:das|dies|es|folgendes)",
    "was (?:bedeutet|heißt) ",
    "wie (?:klingt|sagt man|sage ich|formulier\\w+) ",
  ],
  trouble: [
    "immer noch (?:kaputt|nicht|falsch)|de(?:r|n)selben? fehler|das(?:selbe| gleiche) problem|funktioniert (?:nie|nicht)",
    "(?:falsch|kaputt|leer|fehlt|fehlen|langsam|doppelt|zweimal|zu (?:spät|früh|lang|groß)|hängt|verschwindet|verdeckt|überlappt|springt|bricht|stürzt|wirft|läuft .{0,20}in einen timeout|tut .{0,30}nichts|findet .{0,30}(?:nichts|nicht)|nicht (?:gelaufen|angekommen)|0 treffer|daneben|stimmt nicht überein|endlos|keine .{1,30} mehr)",
    "(?:nutzer|kunde|kundin|kunden)\\w* .{0,20}(?:meldet?n?|beschwer\\w+)",
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
};
