import type { Language } from "./language.ts";

export const dutch: Language = {
  code: "nl",
  hasSpaces: true,
  functionWords:
    "de het een dit dat deze die wij we ons onze ik mijn jij je jouw uw hij zij ze er te van in op aan voor met bij naar uit over onder als en of maar dan zo is zijn was waren wordt worden heeft hebben moet moeten mag kan kunnen niet nee geen nooit altijd alleen nu weer nog meer ook graag plaats liever gebruik gebruiken gebruikt besloten gekozen veranderd bedacht fout klopt eigenlijk hier alles alle elke omdat tot voor na project",
  reasons: ["omdat", "want"],
  negations: ["in plaats van", "niet(?: meer)?", "geen", "nooit"],
  negated: [],
  afterNegation: "met op de het",
  amendments: ["vervangt|niet meer|voortaan"],
  dropped: ["(?:geen) (\\S+) meer", "(\\S+) (?:is|zijn) (?:weg|vervallen|afgeschaft)"],
  changes: [
    "nu|niet (?:meer|langer)|geen .{1,30} meer|voortaan|vervang\\w*|overgestapt|gewijzigd|verhuisd",
  ],
  agreements: ["^(?:ja|precies|klopt|akkoord|goed|prima|perfect|ok|doe maar|juist|helemaal)"],
  reservations: "maar behalve alleen",
  objections: ["^(?:nee|fout|niet|eigenlijk)", "in plaats van"],
  preference: [
    "vanaf nu|van nu af aan|voortaan|in principe",
    "^(?:(?:alsjeblieft|en|maar|nee|ok),? )*(?:altijd|nooit) \\p{L}+",
    "^\\p{L}+ (?:altijd|nooit|alleen|uitsluitend) .{3,}",
    "(?:moet|moeten|mag|mogen) (?:altijd|nooit|niet|alleen|geen)",
    "ik heb liever |ik geef de voorkeur aan",
    "^gebruik .{2,40} in plaats van ",
  ],
  decision: [
    "(?:we|wij|ik|het team) (?:hebben?|heeft|zijn) .{0,60}(?:besloten|afgesproken|gekozen voor|overeengekomen|overgestapt)",
    "we (?:blijven bij|stappen over|kiezen voor|houden het bij)",
    "van gedachten veranderd|ons bedacht",
  ],
  fact: [
    "^(?:in|voor|op) (?:de|het|onze) .{2,40}gebruiken we ",
    "^(?:de|het|onze) (?:\\S+ ){1,6}(?:is|zijn|luistert op) (?:poort )?\\d+(?:[.,]\\d+)? ?\\p{L}*[.!]?$",
  ],
  correction: [
    "^(?:nee|fout|wacht|eigenlijk|correctie|toch niet|klopt niet)(?: nee)?[,.!:;—– -]",
    "(?:(?:dat|dit) (?:klopt niet|is (?:fout|onjuist|verkeerd|achterhaald|niet (?:juist|waar|meer)))|niet meer|geen .{1,30} meer|in plaats van|van gedachten veranderd|vervangt|vervangen|toch maar|, niet .{1,40}|en niet )",
  ],
  rejection: [
    "(?:in plaats van|en niet) (?:de |het |een )?(.+?)(?=[,;.!?)]|$| (?:voor|omdat|in|als|want|—|–|-) )",
    "(?:, |^)niet (?:de |het |een |in |op |met )?(.+?)(?=[,;.!?)]|$| (?:maar|voor|omdat|in|als|meer|—|–) )",
    "geen (.+?) meer",
    "van (.{2,30}?) naar .{2,30}",
  ],
  ending: [
    "vergeet wat ik (?:over|van) ([^,.;!]+?) (?:zei|heb gezegd|gezegd heb)",
    "je hoeft (?:me |mij )?niet (?:meer|langer) ([^,.;!]+)",
    "^(.{3,80}?) (?:is|zijn|mag|mogen) (?:nu|weer) (?:goed|toegestaan|prima|wel)",
    "^(.{3,80}?) (?:is|zijn) (?:opgeheven|voorbij|van de baan|vervallen|geschrapt)",
    "^(.{3,80}?) is (?:verhoogd|verlaagd|gewijzigd|verlengd) naar ",
    "(?:dat|dit) (?:klopt|geldt) niet meer",
  ],
  dangling: ["^(?:(?:en|maar|ja|nee|ok),? )*(?:dat|dit|het) (?:is|was|wordt)"],
  retraction: [
    "^(?:nee|fout|onjuist|correctie|eigenlijk)[,.:;!—–-]",
    "van gedachten veranderd|ons bedacht|(?:klopt|geldt) niet meer",
  ],
  temporary: [
    "(?:voorlopig|voor nu|op dit moment|(?:nu|je|me|ik|we|dit|dat|het|doe|kijk|laat|wacht) even|even (?:dit|dat|kijken|snel|wachten|niet|zo|iets|een)|(?<!(?:vanaf|sinds) )vandaag(?! .{0,40}(?:besloten|afgesproken|gekozen))|morgen|deze keer|dit keer|alleen (?:deze|dit)|straks|(?:pas|wel|nog|komt|doen we|doe ik) later|later (?:pas|wel|nog|vandaag|deze)|tijdelijk|nog niet|voor deze (?:commit|pr|branch|demo|run)|voor de demo|deze week|laat maar|maakt niet uit|ga (?:door|verder)|zo meteen)",
    "^(?:laat me|ik (?:ga|kijk|zal|begin)|eerst kijk)",
    "(?:optie|variant|nummer|voorstel) (?:\\d|een|twee|drie|a|b)\\b",
    "(?:de|het) (?:eerste|tweede|derde|laatste|andere) (?:optie|variant|voorstel)?",
    "nog nooit|nooit (?:gezien|gehoord|gehad)",
  ],
  request: [
    "^(?:(?:graag|ok|en|hoi|nu|dan|kun je|alsjeblieft),? )*(?:voeg|schrijf (?:een|de|het)|implementeer|repareer|zorg|refactor|hernoem|haal|verwijder|verplaats|splits|maak|verander|vervang|breng|start|zoek|kijk|genereer|toon|zet|vertaal|vat|corrigeer|herschrijf|antwoord) ",
    "^(?:ik|we) (?:heb|hebben|wil|willen) (?:een|de|het|graag) ",
  ],
  material: [
    "(?:vertaal|herschrijf|herformuleer|corrigeer|verbeter|leg|vat) (?:(?:deze|dit|de|het|mijn|volgende) )+(?:zin|zinnen|tekst|alinea|bericht|e?-?mail|regel|grammatica|spelling)",
    "wat betekent ",
    "hoe (?:zeg|vertaal) (?:ik|je) ",
  ],
  trouble: [
    "dezelfde (?:fout|bug)|hetzelfde probleem|werkt (?:nooit|niet)",
    "(?:verkeerde?|klopt niet|leeg|kapot|traag|ontbreekt|twee keer|dubbel|faalt|gooit|loopt .{0,20}vast|doet niets|vindt niets|komt niet|niet gedraaid|verdwijnt|bedekt|springt|stopt)",
    "(?:melden|klagen|klaagt) dat",
    "ik krijg",
    "sinds (?:vanochtend|gisteren|de update)",
    "duurde .{1,30} in plaats",
  ],
  supposing: [
    "^(?:misschien|wat als|stel|als we (?:ooit|zouden)|zullen we|moeten we|kunnen we|zouden we|waarom|hoe|wat|welke|waar|wanneer|wie)(?= )",
    "(?:misschien|wellicht|zou(?:den)?|ik vraag me af|niet zeker|in theorie|waarschijnlijk|ik denk|mogelijk)",
  ],
  reporting: [
    "(?:zegt|zei|schrijft|schreef|beweert|raadt|adviseert|volgens|staat dat|stelt|vermeldt)",
  ],
};
