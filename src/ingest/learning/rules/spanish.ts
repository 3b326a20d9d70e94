import type { LanguageRules } from "./language-rules.ts";

export const spanish: LanguageRules = {
  language: "es",
  isSpaced: true,
  preference: [
    "(?:a partir de ahora|de ahora en adelante|desde ahora|en adelante|en el futuro|por defecto|por norma|como regla|cada vez que|siempre que)",
    "^(?:(?:por favor|y|pero|no|vale|ok),? )*(?:siempre|nunca|jamás|no (?:uses|utilices|toques|hagas|escribas|pongas|cambies|modifiques|simules|mockees|subas|instales|ejecutes|vuelvas|añadas|borres|commitees)|usa|use|usad|utiliza|utilice|prefiere|evita|evite|escribe|pon|mantén|ejecuta|recuerda|recuerde|asegúrate|asegúrese|procura|responde|contesta|nombra|guarda|haz|deja de) .{2,}",
    "(?:siempre|nunca|únicamente|solo|sólo|exclusivamente) .{0,20}(?:usar|usa|usamos|escribir|ejecutar|tocar|modificar|debe|en inglés|en español)",
    "(?:usamos|utilizamos|escribimos|hacemos|soportamos|admitimos|mockeamos|preferimos) (?:siempre|nunca|solo|sólo|únicamente)",
    "(?:siempre|nunca|solo|sólo) (?:usamos|utilizamos|escribimos|hacemos|soportamos|damos|admitimos|mockeamos|hay que)",
    "(?:prefiero|quiero que (?:siempre|nunca)|no quiero|odio|no me gustan?)",
    "(?:debe|deben|hay que|tiene que|tienen que) (?:siempre|nunca|ser|estar|ir|tener|usar|pasar|ejecutar)",
    "(?:está|están) (?:prohibid\\w+)|es obligatori\\w+",
  ],
  decision: [
    "(?:hemos|he|han|el equipo ha)? ?(?:decidido|decidimos|acordado|acordamos|elegido|elegimos|optado|optamos|quedamos en|hemos quedado)",
    "^(?:decisión|decidido|acordado|definitivo|enmienda|final)\\b[^?]{0,30}[:—–-]",
    "(?:nos quedamos con|vamos (?:a usar|con|a pasar)|pasamos a|cambiamos a|usaremos|migramos a|hemos (?:pasado|migrado|cambiado) a|nos pasamos a|dejamos de usar|usemos)",
    "(?:cambi(?:amos|ado|é) de (?:opinión|idea|parecer))",
  ],
  decided: ["(?:hemos )?(?:decidido|decidimos|acordamos|acordado)"],
  correction: [
    "^(?:no|falso|mal|incorrecto|espera|en realidad|corrección|error|de hecho|mejor dicho)(?: no)?[,.!:;—–]",
    "^(?:en realidad|de hecho|espera)",
    "(?:eso (?:está mal|no es (?:así|correcto|cierto)|es (?:falso|incorrecto))|está (?:mal|desactualizado|equivocado)|ya no|cambi(?:amos|ado|é) de|en lugar de|en vez de|reemplaza\\w*|sustituy\\w*|, no .{1,40}|y no )",
  ],
  rejection: [
    "(?:en lugar del?|en vez del?|y no|reemplaza a) (?:el |la |los |las |una? )?(.+?)(?=[,;.!?)]|$| (?:para|porque|en|como|ya que|—|–|-) )",
    "(?:, |^)no (?:el |la |los |las |una? |en |a |de |con |es |son |uses |utilices |usar )?(.+?)(?=[,;.!?)]|$| (?:sino|para|porque|en|como|—|–) )",
    "ya no (?:usamos|es|son|se usa|utilizamos) (?:el |la )?(.+?)(?=[,;.!?)]|$)",
  ],
  fact: [
    "^(?:el|la|los|las|nuestr[oa]s?|mi|tod[oa]s|cada|este proyecto) (?!(?:tests?|build|página|servidor) (?:está|están) (?:rot|fall|ca[ií]d))[^,;:]{2,70}? (?:es|son|está|están|usa|usan|corre|corren|escucha|espera|requiere|necesita|soporta|devuelve|contiene|tiene|tienen|pertenece|vive|caduca)\\b",
    "^(?:usamos|utilizamos|desplegamos|alojamos|guardamos|trabajamos|tenemos) ",
  ],
  failed: [
    "(?:ya )?(?:probamos|intentamos|hemos (?:probado|intentado)|he (?:probado|intentado)|lo intenté)",
    "no (?:funcionó|sirvió|ayudó|ha funcionado|resultó)",
  ],
  outcome: [
    "(?:la )?causa (?:raíz |principal )?(?:era|fue|es)",
    "(?:el problema|el error|el fallo|el bug|la razón) (?:era|fue|venía|estaba)",
    "(?:se (?:arregló|solucionó|corrigió)|arreglado|solucionado) (?:al|con|cambiando|añadiendo)",
  ],
  passing: [
    "(?:por ahora|de momento|por el momento|ahora mismo|(?<!(?:desde|a partir de|decidido|decidimos|acordado|acordamos) )hoy(?! (?:hemos )?(?:decidido|decidimos|acordado|acordamos))|mañana|esta vez|solo (?:esta|por esta|este)|luego|más tarde|temporalmente|todavía|aún no|para (?:este|esta|la) (?:commit|pr|rama|demo|prueba)|esta (?:tarde|semana|noche|rama)|olvida|no importa|da igual|sigue|un momento|rápido)",
    "^(?:déjame|voy a|ahora (?:voy|reviso)|primero voy)",
    "(?:opción|variante|número|propuesta) (?:\\d|uno|dos|tres|a|b)\\b",
    "(?:la|el) (?:primera?|segund[oa]|tercer[oa]?|últim[oa]|otr[oa]) (?:opción|variante|propuesta)?",
    "(?:nunca|jamás) (?:he |había |lo he )?(?:visto|oído|tenido)",
  ],
  request: [
    "^(?:(?:por favor|ok|y|hola|ahora|luego|puedes),? )*(?:añade|agrega|escribe (?:un|una|el)|implementa|corrige|arregla|refactoriza|renombra|cambia|quita|elimina|mueve|divide|crea|haz|reemplaza|sube|arranca|busca|mira|genera|muestra|(?:expl[ií]ca|dime|muéstra)(?:me|nos)?|describe|traduce|resume) ",
    "^(?:necesito|quiero|necesitamos|me gustaría) ",
  ],
  trouble: [
    String.raw`(?:está mal|están mal|equivocad[oa]s?|vací[oa]|en blanco|rot[oa]|lent[oa]|falta|dos veces|falla|lanza|se agota|no hace nada|no encuentra nada|no llega|no se ejecutó|desaparece|tapa|vuelve arriba)`,
    "(?:dicen|se quejan?) (?:de )?que",
    "me sale",
    "desde (?:esta mañana|ayer|la actualización)",
    "tardó .{1,30} en vez",
  ],
  supposing: [
    "^¿|^(?:quizás?|tal vez|y si|si (?:usáramos|tuviéramos|algún día|fuera)|supongamos|imagina|deberíamos|podríamos|por qué|cómo|qué|cuál|dónde|cuándo|quién)(?= |$)",
    "(?:quizás?|tal vez|a lo mejor|podríamos|podría|sería|me pregunto|no estoy segur[oa]|en teoría|probablemente|creo que|estoy pensando|deberíamos)",
  ],
  reporting: [
    '(?:dice|dijo|decía|escribió|afirma|recomienda|sugiere|indica|según|pone)(?= (?:que|de|:|el|la|«|"|usar|siempre))',
    "según",
    "(?:la documentación|el readme|el artículo|el blog|el comentario|el mensaje|el tutorial) (?:dice|indica|recomienda|sugiere|pone)",
  ],
  agreement: [
    "^(?:sí|exacto|exactamente|correcto|de acuerdo|vale|perfecto|eso es|adelante|claro|ok)",
  ],
  recap: [
    "^(?:resumen|en resumen|recapitulando|final|decidido|acordado|entendido|hecho|regla final|queda|conclusión)\\b[^.?!]{0,60}[:—–,-]",
  ],
  examples: [
    ["A partir de ahora ejecuta siempre los tests antes de cada commit.", "preference"],
    ["No uses npm, usa pnpm.", "preference"],
    ["Hemos decidido guardar los importes en céntimos.", "decision"],
    ["No, el tiempo de espera es de 30 segundos, no 10.", "fact"],
    ["Olvida los tests por ahora.", null],
    ["¿Deberíamos usar siempre tabuladores?", null],
  ],
};
