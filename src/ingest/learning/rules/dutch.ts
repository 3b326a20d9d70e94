import type { LanguageRules } from "./language-rules.ts";

export const dutch: LanguageRules = {
  language: "nl",
  isSpaced: true,
  preference: [
    "(?:vanaf nu|van nu af aan|voortaan|in het vervolg|in de toekomst|standaard|in principe|elke keer (?:dat|als)|telkens (?:als|wanneer))",
    "^(?:(?:alsjeblieft|graag|en|maar|nee|ok),? )*(?:altijd|nooit|gebruik|schrijf|vermijd|zorg (?:dat|ervoor)|let op|onthoud|houd|hou|zet|noem|draai|antwoord|raak|wijzig|verander|mock|commit|push|laat) .{3,}",
    "(?:altijd|nooit|alleen|uitsluitend|enkel) .{0,50}(?:gebruiken|gebruik|schrijven|draaien|aanpassen|aanraken|wijzigen|committen|in het engels|in het nederlands)",
    "(?:we|wij|ik) (?:gebruiken?|schrijven?|doen|maken|ondersteunen|mocken|committen|pushen) (?:hier )?(?:altijd|nooit|alleen|uitsluitend|geen)",
    "ik (?:wil (?:altijd|nooit|geen|dat)|heb liever|haat|hou niet van|geef de voorkeur)",
    "(?:moet|moeten|mag|mogen) (?:altijd|nooit|niet|alleen|geen)",
    "(?:is|zijn) (?:verboden|verplicht|niet toegestaan)",
  ],
  decision: [
    "(?:we|wij|ik|het team) (?:hebben?|heeft|zijn) .{0,60}(?:besloten|afgesproken|gekozen|overeengekomen|vastgelegd|overgestapt)",
    "^(?:besluit|besloten|afgesproken|beslissing|definitief|afspraak|amendement)\\b[^?]{0,30}[:—–-]",
    "(?:we (?:gaan (?:voor|met|over)|blijven bij|stappen over|kiezen voor|houden het bij)|laten we .{2,50} (?:gebruiken|nemen|houden))",
    "(?:van gedachten veranderd|ons bedacht|bedacht ons)",
  ],
  decided: ["we hebben .{0,60}(?:besloten|afgesproken|gekozen)"],
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
  fact: [
    "^(?:de|het|onze?|mijn|elke?|alle|dit project) (?!(?:test|build|pagina|server)s? (?:is|zijn) (?:kapot|rood|traag))[^,;:]{2,70}? (?:is|zijn|staat|staan|draait|draaien|gebruikt|luistert|verwacht|vereist|ondersteunt|geeft|bevat|heeft|hebben|hoort|blijft|verloopt)\\b",
    "^(?:we|wij) (?:gebruiken|hosten|deployen|bewaren|werken|hebben|draaien) ",
  ],
  failed: [
    "(?:we|wij|ik) (?:hebben|heb) .{0,60}(?:geprobeerd|uitgeprobeerd)",
    "(?:werkte|hielp|heeft|hebben) (?:niet|niets)(?: geholpen| gewerkt)?",
  ],
  outcome: [
    "(?:de )?oorzaak (?:was|is|lag)",
    "(?:het probleem|de fout|de bug|de reden) (?:was|lag|kwam)",
    "(?:opgelost|verholpen) (?:door|met)",
  ],
  passing: [
    "(?:voorlopig|voor nu|op dit moment|(?:nu|je|me|ik|we|dit|dat|het|doe|kijk|laat|wacht) even|even (?:dit|dat|kijken|snel|wachten|niet|zo|iets|een)|(?<!(?:vanaf|sinds) )vandaag(?! .{0,40}(?:besloten|afgesproken|gekozen))|morgen|deze keer|dit keer|alleen (?:deze|dit)|straks|(?:pas|wel|nog|komt|doen we|doe ik) later|later (?:pas|wel|nog|vandaag|deze)|tijdelijk|nog niet|voor deze (?:commit|pr|branch|demo|run)|voor de demo|deze week|laat maar|maakt niet uit|ga (?:door|verder)|zo meteen)",
    "^(?:laat me|ik (?:ga|kijk|zal|begin)|eerst kijk)",
    "(?:optie|variant|nummer|voorstel) (?:\\d|een|twee|drie|a|b)\\b",
    "(?:de|het) (?:eerste|tweede|derde|laatste|andere) (?:optie|variant|voorstel)?",
    "nog nooit|nooit (?:gezien|gehoord|gehad)",
  ],
  request: [
    "^(?:(?:graag|ok|en|hoi|nu|dan|kun je|alsjeblieft),? )*(?:voeg|schrijf (?:een|de|het)|implementeer|repareer|zorg|refactor|hernoem|haal|verwijder|verplaats|splits|maak|verander|vervang|breng|start|zoek|kijk|genereer|toon|zet) ",
    "^(?:ik|we) (?:heb|hebben|wil|willen) (?:een|de|het|graag) ",
  ],
  trouble: [
    String.raw`(?:verkeerde?|klopt niet|leeg|kapot|traag|ontbreekt|twee keer|dubbel|faalt|gooit|loopt .{0,20}vast|doet niets|vindt niets|komt niet|niet gedraaid|verdwijnt|bedekt|springt|stopt)`,
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
  agreement: ["^(?:ja|precies|klopt|akkoord|goed|prima|perfect|ok|doe maar|juist|helemaal)"],
  recap: [
    "^(?:samenvatting|samengevat|kortom|definitief|besloten|afgesproken|begrepen|klaar|de regel|conclusie)\\b[^.?!]{0,60}[:—–,-]",
  ],
  examples: [
    ["Voortaan altijd de tests draaien voor elke commit.", "preference"],
    ["Gebruik pnpm in plaats van npm.", "preference"],
    ["We hebben besloten bedragen in centen op te slaan.", "decision"],
    ["Nee, de timeout is 30 seconden, niet 10.", "fact"],
    ["Laat de tests voorlopig maar zitten.", null],
  ],
};
