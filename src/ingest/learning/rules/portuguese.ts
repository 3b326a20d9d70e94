import type { LanguageRules } from "./language-rules.ts";

export const portuguese: LanguageRules = {
  language: "pt",
  isSpaced: true,
  preference: [
    "(?:a partir de agora|de agora em diante|daqui (?:em|para a?) (?:diante|frente)|doravante|no futuro|por padrão|por norma|como regra|sempre que|cada vez que|toda vez que)",
    "^(?:(?:por favor|e|mas|não|ok),? )*(?:sempre|nunca|jamais|não (?:uses?|use|utilize|toque|toques|mexa|mexas|faça|faças|escreva|escrevas|mude|altere|simule|commite|instale|rode|adicione|apague)|usa|use|usem|utiliza|utilize|prefira|evita|evite|escreva|escreve|coloque|põe|mantenha|execute|executa|rode|lembre|lembra|certifique|garanta|garante|responda|responde|guarde|pare de) .{2,}",
    "(?:sempre|nunca|só|somente|apenas|exclusivamente) .{0,20}(?:usar|use|usamos|escrever|executar|rodar|mexer|alterar|em inglês|em português)",
    "(?:usamos|utilizamos|escrevemos|fazemos|suportamos|preferimos) (?:sempre|nunca|só|somente|apenas)",
    "(?:sempre|nunca|só|somente|apenas) (?:usamos|utilizamos|escrevemos|fazemos|suportamos|damos suporte|mockamos)",
    "(?:prefiro|quero que|quero sempre|não quero|odeio|não gosto (?:de|que))",
    "(?:deve|devem|tem que|têm que|é preciso) (?:sempre|nunca|ser|estar|ir|ter|usar|passar|ficar|rodar)",
    "(?:é|são|está|estão) (?:proibid\\w+|obrigatóri\\w+)",
  ],
  decision: [
    "(?:decidimos|decidi|acordamos|combinamos|escolhemos|optamos|definimos|ficou (?:decidido|acordado|combinado|definido)|a equipe decidiu|a equipa decidiu|resolvemos)",
    "^(?:decisão|decidido|combinado|acordado|definitivo|emenda|final)\\b[^?]{0,30}[:—–-]",
    "(?:vamos (?:com|usar|de|ficar com|passar a|mudar para|migrar)|ficamos com|passamos a usar|mudamos para|migramos para|usaremos|mantemos)",
    "(?:mudamos de (?:ideia|opinião)|mudei de (?:ideia|opinião))",
  ],
  decided: ["(?:decidimos|combinamos|acordamos)"],
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
  fact: [
    "^(?:o|a|os|as|nosso|nossa|nossos|nossas|cada|todos os|todas as|este projeto) (?!(?:testes?|build|página|servidor) (?:está|estão) (?:quebrad|falhando|fora))[^,;:]{2,70}? (?:é|são|fica|ficam|usa|usam|roda|rodam|escuta|espera|requer|exige|precisa|suporta|retorna|contém|tem|têm|pertence|está|expira)(?= )",
    "^(?:usamos|utilizamos|hospedamos|guardamos|trabalhamos|temos) ",
  ],
  failed: [
    "(?:já )?(?:tentamos|tentei|experimentamos|testamos)",
    "não (?:funcionou|ajudou|resolveu|adiantou)",
  ],
  outcome: [
    "(?:a )?causa (?:raiz |principal )?(?:era|foi|é)",
    "(?:o problema|o erro|a falha|o bug|o motivo) (?:era|foi|vinha|estava)",
    "(?:resolvido|corrigido|resolvemos) (?:com|ao|adicionando|mudando)",
  ],
  passing: [
    "(?:por enquanto|por agora|no momento|agora mesmo|(?<!(?:a partir de|desde|decidimos|combinamos|acordamos) )hoje(?! (?:decidimos|combinamos|acordamos))|amanhã|desta vez|dessa vez|só (?:desta|dessa|esta|este|hoje)|depois|mais tarde|temporariamente|ainda não|para (?:este|esta|a) (?:commit|pr|branch|demo|teste)|esta semana|esquece|esqueça|deixa (?:pra lá|para lá)|não importa|^continua|^continue|um momento|rapidinho)",
    "^(?:deixa-me|deixe-me|vou (?:ver|verificar|começar)|agora vou|primeiro vou)",
    "(?:opção|variante|número|proposta) (?:\\d|um|dois|três|a|b)\\b",
    "(?:a|o) (?:primeir[oa]|segund[oa]|terceir[oa]|últim[oa]|outr[oa]) (?:opção|variante|proposta)?",
    "nunca (?:vi|tinha visto|ouvi|tive)",
  ],
  request: [
    "^(?:(?:por favor|ok|e|oi|agora|depois|pode),? )*(?:adicione?|escreva (?:um|uma|o)|implemente|corrija|conserte|refatore|renomeie|tire|remova|mova|divida|crie|faça|deixe|mude|substitua|suba|inicie|procure|olhe|gere|(?:mostre|mostra|explique|explica)(?:-me|-nos)?|descreva|traduza|resuma) ",
    "^(?:preciso|quero|precisamos|gostaria) ",
  ],
  trouble: [
    String.raw`(?:errad[oa]s?|vazi[oa]|em branco|quebrad[oa]|lent[oa]|falta|duas vezes|falha|lança|não faz nada|não encontra nada|não chega|não rodou|cobre o|volta para o topo)`,
    String.raw`(?:dizem|reclama\w*) que`,
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
  agreement: [
    "^(?:sim|exato|exatamente|certo|correto|de acordo|combinado|perfeito|isso|pode ser|ok|beleza)",
  ],
  recap: [
    "^(?:resumo|em resumo|resumindo|recapitulando|final|decidido|combinado|entendido|feito|regra final|conclusão)\\b[^.?!]{0,60}[:—–,-]",
  ],
  examples: [
    ["A partir de agora rode sempre os testes antes de cada commit.", "preference"],
    ["Use pnpm em vez de npm.", "preference"],
    ["Decidimos guardar os valores em centavos.", "decision"],
    ["Não, o tempo limite é de 30 segundos, não 10.", "fact"],
    ["Esquece os testes por enquanto.", null],
  ],
};
