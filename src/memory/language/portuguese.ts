import type { Language } from "./language.ts";

export const portuguese: Language = {
  code: "pt",
  hasSpaces: true,
  functionWords:
    "o os as um uma uns umas do da dos das no na nos nas ao à com sem para por sobre e ou mas se que quem este esta isso nós nosso nossa eu meu minha você seu sua é são era ser será está estão tem têm temos deve devem pode não nunca sempre só somente agora já mais também melhor vez invés lugar usa usar usamos use utiliza utilizar prefiro decidimos mudamos ideia errado verdade aqui tudo todos cada porque até antes depois projeto passamos",
  reasons: ["porque"],
  negations: ["em vez de", "ao invés de", "não", "nunca"],
  negated: [],
  afterNegation: "com o os",
  amendments: ["substitu\\w*|em vez|não mais"],
  dropped: ["(?:chega de|já não usamos|deixamos de usar) (\\S+)"],
  changes: [
    "agora|já não|não .{1,30} mais|a partir de agora|substitu\\w*|mud(?:ou|amos|ado)|migr(?:ou|amos|ado)",
  ],
  agreements: [
    "^(?:sim|exato|exatamente|certo|correto|de acordo|combinado|perfeito|isso|pode ser|ok|beleza)",
  ],
  reservations: "mas exceto só",
  objections: ["^(?:não|errado|na verdade|assim não)", "em vez de|ao invés de"],
  preference: [
    "a partir de agora|de agora em diante|doravante|como regra|por norma",
    "^(?:(?:por favor|e|mas|não|ok),? )*(?:sempre|nunca|jamais) \\p{L}+",
    "(?:deve|devem|tem que|têm que) (?:sempre|nunca|só|apenas)|nunca deve|sempre deve",
    "prefiro (?!o primeiro|a primeira|isso|essa|esse)",
    "^(?:usa|use|utilize) .{2,40} (?:em vez|ao invés) d",
  ],
  decision: [
    "(?:decidimos|acordamos|combinamos|optamos por|ficou (?:decidido|acordado|combinado|definido)|a equip[ea] decidiu)",
    "ficamos com|passamos a usar|mudamos para|migramos para",
    "mud(?:amos|ei) de (?:ideia|opinião)",
    "não (?:deve|devem|pode|podem) ",
  ],
  fact: [
    "^(?:no|na|nos|nas|para) .{2,40}usamos ",
    "^(?:o|a|os|as|noss[oa]) (?:\\S+ ){1,6}(?:é|são|escuta) (?:de |na porta )?\\d+(?:[.,]\\d+)? ?\\p{L}*[.!]?$",
  ],
  correction: [
    "^(?:não|errado|falso|espera|espere|na verdade|na realidade|correção|aliás)(?: não)?[,.!:;—–]",
    "^(?:na verdade|na realidade|espera)",
    "(?:(?:está|isso está|é) (?:errad\\w+|incorret\\w+|desatualizad\\w+)|não é (?:isso|verdade|mais|assim)|mudamos de|mudei de|já não|não .{1,30} mais|não mais|em vez d[eoa]s?|ao invés d[eoa]s?|no lugar d[eoa]|substitu\\w+|, não .{1,40}|e não )",
  ],
  rejection: [
    "(?:em vez d[eoa]s?|ao invés d[eoa]s?|no lugar d[eoa]s?|e não|substitui) (?:os? |as? |uma? )?(.+?)(?=[,;.!?)]|$| (?:para|porque|em|como|pois|—|–|-) )",
    "(?:, |^)não (?:os? |as? |uma? |em |com |é |são |uses? |usar )?(.+?)(?=[,;.!?)]|$| (?:mas|para|porque|em|como|—|–) )",
    "(?:já )?não (?:usamos|é|são|se usa) (?:mais )?(?:os? |as? )?(.+?)(?=[,;.!?)]|$| mais)",
  ],
  ending: [
    "esque(?:ce|ça) o que (?:eu )?disse sobre ([^,.;!]+)",
    "não (?:precisas?|é preciso) mais ([^,.;!]+)|já não (?:precisas?|é preciso) ([^,.;!]+)",
    "^(.{3,80}?) (?:agora|já|de novo) (?:está|é|pode) (?:permitid\\w+|bem|ok)",
    "^(.{3,80}?) (?:foi|está|foram) (?:levantad\\w|cancelad\\w|suspens\\w|descartad\\w)",
    "^(.{3,80}?) (?:foi|passou) (?:aumentad\\w |reduzid\\w |alterad\\w )?(?:para|a) ",
    "(?:isso|isto) (?:já )?não é (?:mais )?(?:verdade|assim|válido)",
  ],
  dangling: ["^(?:(?:e|mas|sim|não|ok),? )*(?:isso|isto|é)"],
  retraction: [
    "^(?:não|errado|falso|correção|na verdade)[,.:;!—–-]",
    "mud(?:amos|ei) de (?:ideia|opinião)|já não é (?:verdade|assim)",
  ],
  temporary: [
    "(?:por enquanto|por agora|no momento|agora mesmo|(?<!(?:a partir de|desde|decidimos|combinamos|acordamos) )hoje(?! (?:decidimos|combinamos|acordamos))|amanhã|desta vez|dessa vez|só (?:desta|dessa|esta|este|hoje)|depois|mais tarde|temporariamente|ainda não|para (?:este|esta|a) (?:commit|pr|branch|demo|teste)|esta semana|esquece|esqueça|deixa (?:pra lá|para lá)|não importa|^continua|^continue|um momento|rapidinho)",
    "^(?:deixa-me|deixe-me|vou (?:ver|verificar|começar)|agora vou|primeiro vou)",
    "(?:opção|variante|número|proposta) (?:\\d|um|dois|três|a|b)\\b",
    "(?:a|o) (?:primeir[oa]|segund[oa]|terceir[oa]|últim[oa]|outr[oa]) (?:opção|variante|proposta)?",
    "nunca (?:vi|tinha visto|ouvi|tive)",
  ],
  request: [
    "^(?:(?:por favor|ok|e|oi|agora|depois|pode),? )*(?:adicione?|escreva (?:um|uma|o)|implemente|corrija|conserte|refatore|renomeie|tire|remova|mova|divida|crie|faça|deixe|mude|substitua|suba|inicie|procure|olhe|gere|(?:mostre|mostra|explique|explica)(?:-me|-nos)?|descreva|traduza?|resuma|responda|reformule|reescreva|comente) ",
    "^(?:preciso|quero|precisamos|gostaria) ",
  ],
  material: [
    "(?:traduz|reformul|resum|corrij|corrig|reescrev|expli[cq]|melhor)\\w* (?:(?:esta|este|essa|esse|a|o|as|os|minha|meu|seguinte) )+(?:frases?|textos?|parágrafo|mensagem|e-?mail|regra|gramática|ortografia)",
    "que (?:significa|quer dizer) ",
    "como (?:se diz|digo|traduzir) ",
  ],
  trouble: [
    "(?:nunca|sempre) (?:funciona|falha|dá erro)|o mesmo (?:erro|problema)",
    "(?:errad[oa]s?|vazi[oa]|em branco|quebrad[oa]|lent[oa]|falta|duas vezes|falha|lança|não faz nada|não encontra nada|não chega|não rodou|cobre o|volta para o topo)",
    "(?:dizem|reclama\\w*) que",
    "recebo",
    "desde (?:hoje|ontem|a atualização)",
    "levou .{1,30} em vez",
  ],
  supposing: [
    "^(?:talvez|e se|se (?:usássemos|tivéssemos|fosse|a gente)|suponha|imagine|deveríamos|poderíamos|por que|como|o que|qual|onde|quando|quem|será que)(?= )",
    "(?:talvez|quem sabe|poderíamos|poderia|seria|me pergunto|não tenho certeza|em teoria|provavelmente|acho que|estou pensando|deveríamos)",
  ],
  reporting: [
    '(?:diz|disse|dizia|escreveu|afirma|recomenda|sugere|indica|segundo|consta)(?= (?:que|para|:|o|a|«|"|usar|sempre))',
    "segundo (?:o|a)",
  ],
};
