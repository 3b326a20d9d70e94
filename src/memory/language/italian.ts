import type { Language } from "./language.ts";

export const italian: Language = {
  code: "it",
  hasSpaces: true,
  functionWords:
    "il lo la i gli le un uno una di del della dei delle dello a al alla ai alle da dal dalla in nel nella con su sul sulla per tra fra e o ma se che chi questo questa questi queste noi nostro nostra io mio tu tuo è sono era essere sarà ha hanno abbiamo avere deve devono può non no mai sempre solo ora adesso più anche meglio invece posto usa usare usiamo usate utilizza preferisco deciso cambiato idea sbagliato realtà qui tutto tutti ogni perché fino prima dopo progetto passiamo",
  reasons: ["perché", "poiché"],
  negations: ["invece (?:di|che)", "non", "mai"],
  negated: [],
  afterNegation: "il lo con come",
  amendments: ["invece di|non più|d'ora in poi"],
  dropped: ["(?:niente più|basta|non usiamo più) (\\S+)"],
  changes: ["ora|adesso|non .{1,30} più|d'ora in poi|sostitui\\w*|migrat\\w*|passat[oi] a"],
  agreements: [
    "^(?:sì|esatto|esattamente|giusto|d'accordo|va bene|perfetto|ok|certo|procedi|proprio così)",
  ],
  reservations: "ma però tranne",
  objections: ["^(?:non|sbagliato|no|così no|veramente|in realtà)", "invece (?:di|che)"],
  preference: [
    "d'ora in poi|da ora in poi|da adesso in poi|di regola|di norma",
    "^(?:(?:per favore|e|ma|no|ok),? )*(?:sempre|mai|non \\p{L}+re mai|\\p{L}+ sempre) ",
    "(?:deve|devono) (?:sempre|solo|soltanto|essere sempre)|non (?:deve|devono) mai",
    "preferisco (?!il primo|la prima|questo|quello)",
    "^(?:usa|utilizza) .{2,40} invece (?:di|che) ",
  ],
  decision: [
    "(?:abbiamo|ho|il team ha) (?:deciso|concordato|optato|stabilito)",
    "restiamo (?:con|su)|passiamo a|siamo passati a|abbandoniamo",
    "cambiato idea",
    "non (?:deve|devono|può|possono) ",
  ],
  fact: [
    "^(?:nel|nella|per|nei|nelle) .{2,40}usiamo ",
    "^(?:il|lo|la|i|gli|le|il nostro|la nostra) (?:\\S+ ){1,6}(?:è|sono|ascolta) (?:di |sulla porta )?\\d+(?:[.,]\\d+)? ?\\p{L}*[.!]?$",
  ],
  correction: [
    "^(?:no|sbagliato|falso|aspetta|in realtà|correzione|anzi|errato)(?: no)?[,.!:;—– -]",
    "(?:(?:è|era) (?:sbagliat\\w+|errat\\w+|superat\\w+|fals\\w+)|non è (?:così|vero|corretto|giusto|più)|cambiato idea|non .{1,30} più|non più|invece (?:di|che)|al posto di|anziché|piuttosto che|sostitui\\w+|, non .{1,40}|e non )",
  ],
  rejection: [
    "(?:invece (?:di|del|della|dei|che)|al posto (?:di|del|della|dei)|anziché|piuttosto che|e non) (?:il |la |lo |gli |le |i |un[oa]? )?(.+?)(?=[,;.!?)]|$| (?:per|perché|in|come|—|–|-) )",
    "(?:, |^)non (?:il |la |lo |gli |le |i |un[oa]? |in |a |con |è |usare )?(.+?)(?=[,;.!?)]|$| (?:ma|per|perché|in|come|—|–) )",
    "non (?:usiamo|è|sono|si usa) più (?:il |la )?(.+?)(?=[,;.!?)]|$)",
  ],
  ending: [
    "dimentica (?:quello|ciò) che ho detto (?:su|sul|sulla|sui|sulle|riguardo a) ([^,.;!]+)",
    "non (?:devi|serve|occorre) più ([^,.;!]+)",
    "^(.{3,80}?) (?:ora |adesso |di nuovo )+(?:va bene|è permess\\w+|è consentit\\w+)",
    "^(.{3,80}?) (?:è stat\\w|sono stat\\w|è) (?:revocat\\w|annullat\\w|scartat\\w|tolt\\w)",
    "^(.{3,80}?) (?:è stat\\w|è) (?:aumentat\\w|portat\\w|ridott\\w|cambiat\\w) a ",
    "non è più (?:vero|così|valido)",
  ],
  dangling: ["^(?:(?:e|ma|sì|no|ok),? )*(?:questo|quello|è)"],
  retraction: [
    "^(?:no|sbagliato|falso|correzione|in realtà)[,.:;!—–-]",
    "cambiato idea|non è più (?:vero|così)",
  ],
  temporary: [
    "(?:per ora|per adesso|per il momento|adesso|(?<!(?:da|deciso|concordato|scelto) )oggi(?! abbiamo (?:deciso|concordato|scelto))|domani|questa volta|stavolta|solo (?:questa|stavolta|per questo)|dopo|più tardi|temporaneamente|non ancora|per (?:questo|questa|la) (?:commit|pr|branch|demo|prova)|questa settimana|stasera|lascia (?:perdere|stare)|non importa|continua|vai avanti|un attimo)",
    "^(?:lasciami|ora (?:vado|controllo)|vado a|prima controllo)",
    "(?:opzione|variante|numero|proposta) (?:\\d|uno|due|tre|a|b)\\b",
    "(?:la|il) (?:prim[oa]|second[oa]|terz[oa]|ultim[oa]|altr[oa]) (?:opzione|variante|proposta)?",
    "mai (?:visto|sentito|avuto)",
  ],
  request: [
    "^(?:(?:per favore|ok|e|ciao|ora|poi|puoi),? )*(?:aggiungi|scrivi (?:un|uno|una|il)|implementa|correggi|sistema|rifattorizza|rinomina|togli|rimuovi|sposta|dividi|crea|fai|rendi|cambia|sostituisci|porta|avvia|cerca|guarda|genera|(?:mostra|spiega|dì)(?:mi|ci)?|descrivi|traduci|riassumi|rispondi|riformula|riscrivi|commenta) ",
    "^(?:mi serve|vorrei|voglio|ci serve) ",
  ],
  material: [
    "(?:tradu[cr]|riformul|riassum|corregg|riscriv|spieg|miglior)\\w* (?:(?:questa|questo|la|il|le|i|mia|mio|seguente) |l')+(?:fras[ei]|test[oi]|paragrafo|messaggio|e?-?mail|regola|grammatica|ortografia)",
    "(?:cosa|che) (?:significa|vuol dire) ",
    "come (?:si dice|tradurre) ",
  ],
  trouble: [
    "(?:mai|sempre) (?:funziona|fallisce)|non funziona|lo stesso (?:errore|problema)",
    "(?:sbagliat[oaie]|vuot[oa]|bianc[oa]|rott[oa]|lent[oa]|manca|due volte|fallisce|lancia|non fa nulla|non trova niente|non arriva|non è partito|sparisce|copre il|torna in alto)",
    "(?:dicono|segnalano|si lamenta\\w*) che",
    "ricevo",
    "da stamattina|da ieri|dall'aggiornamento",
    "impiegato .{1,30} invece",
  ],
  supposing: [
    "^(?:forse|e se|se (?:usassimo|avessimo|fosse)|supponiamo|immagina|dovremmo|potremmo|perché|come|cosa|che cosa|quale|dove|quando|chi)(?= )",
    "(?:forse|magari|potremmo|potrebbe|sarebbe|mi chiedo|non sono sicur[oa]|in teoria|probabilmente|credo|penso che|dovremmo)",
  ],
  reporting: [
    '(?:dice|ha detto|diceva|scrive|ha scritto|sostiene|consiglia|raccomanda|suggerisce|indica|secondo)(?= (?:di|che|:|il|la|«|"|sempre|l))',
    "secondo (?:il|la|l'|lui|lei)",
  ],
};
