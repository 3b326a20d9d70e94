import type { LanguageRules } from "./language-rules.ts";

export const italian: LanguageRules = {
  language: "it",
  isSpaced: true,
  preference: [
    "(?:d'ora in poi|da ora in poi|da adesso in poi|da oggi in poi|in futuro|per impostazione predefinita|di regola|di norma|ogni volta che)",
    "^(?:(?:per favore|e|ma|no|ok),? )*(?:sempre|mai|non (?:usare|toccare|modificare|scrivere|fare|mettere|mockare|simulare|committare|installare|aggiungere|cambiare|lanciare|cancellare)(?: mai)?|usa|usate|utilizza|preferisci|evita|scrivi|metti|mantieni|esegui|lancia|ricorda|ricordati|assicurati|rispondi|chiama|salva|fai|smetti) .{2,}",
    "(?:sempre|mai|solo|soltanto|esclusivamente) .{0,20}(?:usare|usa|usiamo|scrivere|eseguire|toccare|modificare|in inglese|in italiano)",
    "(?:usiamo|utilizziamo|scriviamo|facciamo|supportiamo|preferiamo) (?:sempre|mai|solo|soltanto|esclusivamente)",
    "non (?:usiamo|utilizziamo|scriviamo|facciamo|mockiamo) mai",
    "(?:preferisco|voglio (?:sempre|che)|non voglio|odio|non mi piac\\w+ (?:i|gli|le|il|la|che))",
    "(?:deve|devono|bisogna|si deve) (?:sempre|mai|essere|stare|avere|usare|passare|restare|eseguire)",
    "(?:è|sono) (?:vietat\\w+|obbligatori\\w*|proibit\\w+)",
  ],
  decision: [
    "(?:abbiamo|ho|il team ha|hanno) (?:finalmente |già )?(?:deciso|concordato|scelto|optato|stabilito|convenuto)",
    "^(?:decisione|deciso|concordato|stabilito|definitivo|emendamento|finale)\\b[^?]{0,30}[:—–-]",
    "(?:andiamo (?:con|su)|restiamo (?:con|su)|passiamo a|teniamo|useremo|migriamo a|siamo passati a|abbandoniamo|usiamo ora)",
    "(?:cambiato idea)",
  ],
  decided: ["abbiamo (?:deciso|concordato|scelto)"],
  correction: [
    "^(?:no|sbagliato|falso|aspetta|in realtà|correzione|anzi|errato)(?: no)?[,.!:;—– -]",
    "(?:(?:è|era) (?:sbagliat\\w+|errat\\w+|superat\\w+|fals\\w+)|non è (?:così|vero|corretto|giusto|più)|cambiato idea|non .{1,30} più|non più|invece (?:di|che)|al posto di|anziché|piuttosto che|sostitui\\w+|, non .{1,40}|e non )",
  ],
  rejection: [
    "(?:invece (?:di|del|della|dei|che)|al posto (?:di|del|della|dei)|anziché|piuttosto che|e non) (?:il |la |lo |gli |le |i |un[oa]? )?(.+?)(?=[,;.!?)]|$| (?:per|perché|in|come|—|–|-) )",
    "(?:, |^)non (?:il |la |lo |gli |le |i |un[oa]? |in |a |con |è |usare )?(.+?)(?=[,;.!?)]|$| (?:ma|per|perché|in|come|—|–) )",
    "non (?:usiamo|è|sono|si usa) più (?:il |la )?(.+?)(?=[,;.!?)]|$)",
  ],
  fact: [
    "^(?:il |la |lo |i |gli |le |l'|il nostro |la nostra |ogni |tutti |questo progetto )(?!(?:test|build|pagina|server) (?:è|sono) (?:rott|giù|lent))[^,;:]{2,70}? (?:è|sono|usa|usano|gira|girano|ascolta|aspetta|richiede|supporta|restituisce|contiene|ha|hanno|appartiene|sta|si trova|scade)(?= )",
    "^(?:usiamo|utilizziamo|ospitiamo|salviamo|lavoriamo|abbiamo) ",
  ],
  failed: [
    "(?:abbiamo|ho) (?:già )?(?:provato|tentato)",
    "non ha(?:nno)? (?:funzionato|aiutato|risolto)",
  ],
  outcome: [
    "(?:la )?causa (?:principale )?(?:era|è)",
    "(?:il problema|l'errore|il bug|il motivo) (?:era|veniva|stava)",
    "(?:risolto|corretto|sistemato) (?:con|aggiungendo|cambiando|usando)",
  ],
  passing: [
    "(?:per ora|per adesso|per il momento|adesso|(?<!(?:da|deciso|concordato|scelto) )oggi(?! abbiamo (?:deciso|concordato|scelto))|domani|questa volta|stavolta|solo (?:questa|stavolta|per questo)|dopo|più tardi|temporaneamente|non ancora|per (?:questo|questa|la) (?:commit|pr|branch|demo|prova)|questa settimana|stasera|lascia (?:perdere|stare)|non importa|continua|vai avanti|un attimo)",
    "^(?:lasciami|ora (?:vado|controllo)|vado a|prima controllo)",
    "(?:opzione|variante|numero|proposta) (?:\\d|uno|due|tre|a|b)\\b",
    "(?:la|il) (?:prim[oa]|second[oa]|terz[oa]|ultim[oa]|altr[oa]) (?:opzione|variante|proposta)?",
    "mai (?:visto|sentito|avuto)",
  ],
  request: [
    "^(?:(?:per favore|ok|e|ciao|ora|poi|puoi),? )*(?:aggiungi|scrivi (?:un|uno|una|il)|implementa|correggi|sistema|rifattorizza|rinomina|togli|rimuovi|sposta|dividi|crea|fai|rendi|cambia|sostituisci|porta|avvia|cerca|guarda|genera|(?:mostra|spiega|dì)(?:mi|ci)?|descrivi|traduci|riassumi) ",
    "^(?:mi serve|vorrei|voglio|ci serve) ",
  ],
  trouble: [
    String.raw`(?:sbagliat[oaie]|vuot[oa]|bianc[oa]|rott[oa]|lent[oa]|manca|due volte|fallisce|lancia|non fa nulla|non trova niente|non arriva|non è partito|sparisce|copre il|torna in alto)`,
    String.raw`(?:dicono|segnalano|si lamenta\w*) che`,
    "ricevo",
    String.raw`da stamattina|da ieri|dall'aggiornamento`,
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
  agreement: [
    "^(?:sì|esatto|esattamente|giusto|d'accordo|va bene|perfetto|ok|certo|procedi|proprio così)",
  ],
  recap: [
    "^(?:riepilogo|riassunto|in sintesi|riassumendo|finale|deciso|concordato|capito|fatto|regola finale|conclusione)\\b[^.?!]{0,60}[:—–,-]",
  ],
  examples: [
    ["D'ora in poi esegui sempre i test prima di ogni commit.", "preference"],
    ["Usa pnpm invece di npm.", "preference"],
    ["Abbiamo deciso di salvare gli importi in centesimi.", "decision"],
    ["No, il timeout è di 30 secondi, non 10.", "fact"],
    ["Lascia perdere i test per ora.", null],
  ],
};
