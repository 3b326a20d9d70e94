import type { Language } from "./language.ts";

export const spanish: Language = {
  code: "es",
  hasSpaces: true,
  functionWords:
    "el la los las un una unos unas lo al del de este esta estos estas eso nosotros nuestro nuestra yo mi mis tu su sus ellos a en con sin para por sobre y o u pero si que quien es son era ser será está están estar ha han hemos haber debe deben puede podemos no nunca siempre solo sólo ahora ya más también mejor vez lugar usa usar usamos usen utiliza utilizar prefiero decidido cambiado opinión mal falso realidad aquí todo toda todos todas cada porque hasta antes después proyecto pasamos",
  reasons: ["porque", "ya que"],
  negations: ["en vez de", "en lugar de", "no", "nunca", "ya no"],
  negated: [],
  afterNegation: "con como el los",
  amendments: ["reemplaza\\w*|en lugar|ya no|a partir de ahora"],
  dropped: [
    "(\\S+) (?:ha sido|fue|está) (?:eliminad[oa]|retirad[oa]|descartad[oa])",
    "(?:nada de|ya no (?:usamos|hay)|dejamos(?: de usar)?) (\\S+)",
  ],
  changes: [
    "ahora|ya no|a partir de ahora|reemplaza\\w*|sustitu\\w*|cambi(?:ó|amos|ado)|migra(?:mos|do)|pasamos a",
  ],
  agreements: [
    "^(?:sí|exacto|exactamente|correcto|de acuerdo|vale|perfecto|eso es|adelante|claro|ok)",
  ],
  reservations: "pero salvo solo sólo",
  objections: ["^(?:no|mal|está mal|así no|en realidad|falso)", "en vez de|en lugar de"],
  preference: [
    "a partir de ahora|de ahora en adelante|como regla|por norma",
    "^(?:(?:por favor|y|pero|no|ok),? )*(?:siempre|nunca|jamás) (?:usa|uses|pongas?|hagas?|escrib\\p{L}+|pregunt\\p{L}+|ejecut\\p{L}+|toques?|borres?|\\p{L}+[ae]s?) ",
    "(?:debe|deben|tiene que|tienen que) (?:siempre|nunca|solo|sólo)|nunca debe|siempre debe",
    "prefiero (?!el primero|la primera|eso|esa|ese)",
    "^(?:usa|utiliza) .{2,40} en (?:vez|lugar) de ",
  ],
  decision: [
    "(?:hemos|he|el equipo ha) (?:decidido|acordado|optado)|decidimos|acordamos|optamos por",
    "nos quedamos con|pasamos a usar|cambiamos a|dejamos de usar",
    "cambi(?:amos|ado|é) de (?:opinión|idea)",
    "no (?:debe|deben|puede|pueden) ",
  ],
  fact: [
    "^(?:en|para) (?:el|la|los|las|nuestr\\p{L}+) .{2,40}usamos ",
    "^(?:el|la|los|las|nuestr\\p{L}+) (?:\\S+ ){1,6}(?:es|son|escucha en) (?:de |el puerto )?\\d+(?:[.,]\\d+)? ?\\p{L}*[.!]?$",
  ],
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
  ending: [
    "olvida lo que dije (?:sobre|de) ([^,.;!]+)",
    "ya no (?:hace falta|tienes que|necesitas|es necesario) (?:que )?([^,.;!]+)",
    "^(.{3,80}?) (?:ya está|ahora está|está otra vez|vuelve a estar) (?:permitid\\w+|bien)",
    "^(.{3,80}?) (?:se ha levantado|está levantad\\w+|queda anulad\\w+|está descartad\\w+)",
    "^(.{3,80}?) (?:ha|se ha|ha sido) (?:subido|aumentado|bajado|reducido|cambiado) a ",
    "(?:eso|esto) ya no es (?:cierto|así|válido)",
  ],
  dangling: ["^(?:(?:y|pero|sí|no|ok),? )*(?:eso|esto|es)"],
  retraction: [
    "^(?:no|mal|falso|corrección|en realidad)[,.:;!—–-]",
    "cambi(?:amos|ado|é) de (?:opinión|idea)|ya no es (?:cierto|así)",
  ],
  temporary: [
    "(?:por ahora|de momento|por el momento|ahora mismo|(?<!(?:desde|a partir de|decidido|decidimos|acordado|acordamos) )hoy(?! (?:hemos )?(?:decidido|decidimos|acordado|acordamos))|mañana|esta vez|solo (?:esta|por esta|este)|luego|más tarde|temporalmente|todavía|aún no|para (?:este|esta|la) (?:commit|pr|rama|demo|prueba)|esta (?:tarde|semana|noche|rama)|olvida|no importa|da igual|sigue|un momento|rápido)",
    "^(?:déjame|voy a|ahora (?:voy|reviso)|primero voy)",
    "(?:opción|variante|número|propuesta) (?:\\d|uno|dos|tres|a|b)\\b",
    "(?:la|el) (?:primera?|segund[oa]|tercer[oa]?|últim[oa]|otr[oa]) (?:opción|variante|propuesta)?",
    "(?:nunca|jamás) (?:he |había |lo he )?(?:visto|oído|tenido)",
  ],
  request: [
    "^(?:(?:por favor|ok|y|hola|ahora|luego|puedes),? )*(?:añade|agrega|escribe (?:un|una|el)|implementa|corrige|arregla|refactoriza|renombra|cambia|quita|elimina|mueve|divide|crea|haz|reemplaza|sube|arranca|busca|mira|genera|muestra|(?:expl[ií]ca|dime|muéstra)(?:me|nos)?|describe|traduce|resume|responde|reformula|redacta|reescribe|comenta) ",
    "^(?:necesito|quiero|necesitamos|me gustaría) ",
  ],
  material: [
    "(?:tradu[cz]|reformul|resum|corrig|corrij|reescrib|explic|mejor)\\w* (?:(?:esta|este|esto|la|el|los|las|mi|siguiente) )+(?:frases?|textos?|párrafos?|mensaje|correo|regla|oración|gramática|ortografía|redacción)",
    "qu[eé] (?:significa|quiere decir) ",
    "c[oó]mo (?:se dice|digo|traduzco) ",
  ],
  trouble: [
    "(?:nunca|siempre) (?:funciona|falla|da error)|el mismo (?:error|problema|fallo)",
    "(?:está mal|están mal|equivocad[oa]s?|vací[oa]|en blanco|rot[oa]|lent[oa]|falta|dos veces|falla|lanza|se agota|no hace nada|no encuentra nada|no llega|no se ejecutó|desaparece|tapa|vuelve arriba)",
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
};
