import type { Language } from "./language.ts";

export const french: Language = {
  code: "fr",
  hasSpaces: true,
  functionWords:
    "le la les l un une des du de d ce cet cette ces il elle on nous notre nos vous votre je j mon ma mes ils à au aux en dans sur sous pour par avec sans et ou mais si que qu qui quoi est sont était être sera a ont avoir avons doit doivent peut pouvons ne n pas non jamais toujours seulement maintenant désormais encore plus aussi plutôt lieu utilise utilisez utilisons utiliser utilisé préfère choisi décidé avons changé avis faux fait ici tout toute tous toutes chaque parce car jusqu avant après projet passe passons passer faut",
  reasons: ["parce que", "car", "puisque"],
  negations: ["au lieu (?:de|du|d')", "plutôt que", "pas", "jamais"],
  negated: [],
  afterNegation: "avec comme à le la les un une",
  amendments: ["remplac\\w*|désormais|au lieu|ne .{1,30} plus"],
  dropped: [
    "(\\S+) (?:est|a été) (?:abandonnée?|supprimée?|retirée?)",
    "(?:plus de|fini|nous n'utilisons plus) (\\S+)",
  ],
  changes: [
    "désormais|maintenant|ne .{1,40} plus|plus de|dorénavant|remplac\\w*|migré\\w*|passés? (?:à|sur)",
  ],
  agreements: [
    "^(?:oui|exactement|exact|d'accord|parfait|ok|c'est ça|vas-y|très bien|tout à fait)",
  ],
  reservations: "mais sauf seulement",
  objections: ["^(?:non|pas|faux|en fait)", "au lieu de|plutôt que"],
  preference: [
    "désormais|dorénavant|à partir de maintenant|en règle générale",
    "^(?:(?:et|mais|non|ok|merci de),? )*(?:(?:toujours|ne jamais) \\p{L}+(?:er|ir|re|ez)|ne \\p{L}+ jamais|n'\\p{L}+ jamais) ",
    "(?:doit|doivent|dois|devez) (?:toujours|jamais|uniquement|être (?:toujours|obligatoirement))",
    "^\\p{L}+ez? (?:toujours|uniquement) ",
    "je préfère (?!celle|celui|ça|la première|le premier)",
    "^utilise[rz]? .{2,40} (?:au lieu d|plutôt que )",
  ],
  decision: [
    "(?:on|nous|j'|l'équipe) ?(?:a|ai|avons) (?:finalement |déjà )?(?:décidé d|opté|convenu|tranché)",
    "(?:on (?:part sur|passe à|reste sur|abandonne)|nous (?:passons à|restons sur|abandonnons))",
    "changé d'avis",
    "ne (?:doit|doivent|peut|peuvent) (?:pas|jamais|plus) ",
  ],
  fact: [
    "^(?:dans|pour) (?:le|la|les|l'|notre|nos) .{2,40}(?:on|nous) utilis\\p{L}+ ",
    "^(?:le|la|les|l'|notre) ?(?:\\S+ ){1,6}(?:est|sont|écoute|expire) (?:\\p{L}+ )?\\d+(?:[.,]\\d+)? ?\\p{L}*[.!]?$",
  ],
  correction: [
    "^(?:non|faux|attends|attendez|en fait|correction|erreur|pas tout à fait)(?: non)?[,.!:;—– -]",
    "(?:c'est (?:faux|incorrect|dépassé|erroné)|ce n'est (?:pas (?:ça|vrai|correct|juste)|plus)|changé d'avis|ne .{1,30} plus|au lieu (?:de|d')|plutôt que|à la place|remplac\\w+|finalement|, pas .{1,40}|et non )",
  ],
  rejection: [
    "(?:au lieu d[e'u]s?|plutôt que|à la place d[e'u]s?|et non|remplace) ?(?:le |la |les |l'|une? |des |d'|de )?(.+?)(?=[,;.!?)]|$| (?:pour|car|parce|dans|en|—|–|-) )",
    "(?:, |^)(?:et )?(?:pas|non) (?:le |la |les |l'|une? |des |de |d'|en |à )?(.+?)(?=[,;.!?)]|$| (?:mais|pour|car|parce|dans|—|–) )",
    "n'\\w+ plus (?:le |la |les |de |d')?(.+?)(?=[,;.!?)]|$)",
  ],
  ending: [
    "oublie[rz]? ce que j'ai dit (?:sur|à propos d[eu]s?|au sujet d[eu]s?) ([^,.;!]+)",
    "(?:tu n'as|vous n'avez) plus besoin d[e'] ?([^,.;!]+)",
    "^(.{3,80}?) (?:est|sont) (?:de nouveau|maintenant) (?:autorisé\\w*|possible|permis\\w*)",
    "^(.{3,80}?) (?:est|sont|a été|ont été) (?:levé\\w*|annulé\\w*|abandonné\\w*|obsolète\\w*)",
    "^(.{3,80}?) (?:est passée?|a été (?:portée?|augmentée?|réduite?)) à ",
    "(?:ce n'est|c'est) plus (?:vrai|le cas|valable)",
  ],
  dangling: ["^(?:(?:et|mais|oui|non|ok),? )*(?:c'est|ça|cela|ce sont)"],
  retraction: [
    "^(?:non|faux|erreur|en fait|correction)[,.:;!—–-]",
    "changé d'avis|(?:c'est|n'est) (?:faux|plus (?:vrai|valable|le cas))",
  ],
  temporary: [
    "(?:pour l'instant|pour le moment|(?<!à partir d'|dès |(?:décidé|choisi|convenu) )aujourd'hui(?!,? (?:on a|nous avons) (?:décidé|choisi|convenu))|demain|cette fois|ce soir|ce matin|juste (?:cette|pour)|en ce moment|tout à l'heure|plus tard|provisoirement|pour cette (?:pr|branche|démo)|pour ce (?:commit|test)|pour la démo|cette semaine|laisse tomber|tant pis|peu importe|^continue|pas encore|vite)",
    "^(?:laisse-moi|je (?:vais|regarde|vérifie|commence)|ensuite)",
    "(?:option|variante|numéro|proposition) (?:\\d|un|deux|trois|a|b)\\b",
    "(?:la|le) (?:première?|deuxième|seconde?|dernière?|autre) (?:option|solution|variante|proposition)?",
    "jamais (?:vu|entendu|eu)",
  ],
  request: [
    "^(?:(?:s'il te plaît|ok|et|salut|maintenant|ensuite|peux-tu|tu peux),? )*(?:ajoute[rz]?|écris (?:un|une|le)|implémente|corrige|refactorise|renomme|supprime|déplace|découpe|crée|fais|rends|change|remplace|passe|démarre|cherche|regarde|mets|génère|(?:montre|explique)(?:-moi|-nous)?|décris|traduis(?:ez)?|résumez?|réponds|reformule|rédige|réécris|commente) ",
    "^(?:j'ai besoin|je voudrais|il nous faut|on a besoin) ",
  ],
  material: [
    "(?:tradui|reformul|résum|corrig|réécri|expliqu|amélior)[\\w-]* (?:(?:cette|ce|ces|cet|la|le|les|mon|ma) |l')+(?:phrases?|textes?|paragraphes?|message|e?-?mail|règle|orthographe|grammaire|formulation|suivante?)",
    "que (?:veut dire|signifie) ",
    "comment (?:dit-on|dire|formuler|traduire) ",
  ],
  trouble: [
    "la même erreur|le même (?:problème|bug)|ne (?:marche|fonctionne) (?:jamais|pas)",
    "(?:faux|fausse|mauvaise?|vide|blanche?|cassée?|lente?|manque|deux fois|échoue|plante|lève|ne fait rien|ne trouve rien|n'arrive pas|n'a pas tourné|décalée?s?|disparaît|cache le|remonte)",
    "signale(?:nt)? que|se plaint",
    "j'ai une? ",
    "depuis (?:ce matin|hier|la mise)",
    "a pris .{1,30} au lieu",
  ],
  supposing: [
    "^(?:peut-être|et si|si on|si nous|supposons|imaginons|admettons|devrait-on|faut-il|est-ce|pourquoi|comment|que|qu'est|quel|quelle|où|quand|qui)\\b",
    "(?:peut-être|éventuellement|on pourrait|nous pourrions|pourrait|serait|je me demande|pas sûre?|en théorie|probablement|je pense|j'hésite|je crois)",
  ],
  reporting: [
    "(?:dit|disait|écrit|prétend|affirme|recommande|conseille|indique|selon|d'après)(?= (?:que|qu'|de|d'|:|le|la|les|l'|«|\"|toujours))",
    "selon|d'après",
    "(?:la doc|la documentation|le readme|l'article|le blog|le commentaire|le message|le ticket|le tutoriel) (?:dit|indique|recommande|conseille|précise)",
  ],
};
