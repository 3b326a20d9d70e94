import type { LanguageRules } from "./language-rules.ts";

export const french: LanguageRules = {
  language: "fr",
  isSpaced: true,
  preference: [
    "(?:désormais|dorénavant|à partir de maintenant|à l'avenir|par défaut|en règle générale|chaque fois que|à chaque fois que)",
    "^(?:(?:s'il te plaît|s'il vous plaît|merci de|et|mais|non|ok),? )*(?:toujours|jamais|ne jamais|n'\\w+ jamais|ne \\w+ (?:jamais|pas|plus)|n'\\w+ (?:pas|plus)|évite[zr]?|utilise[zr]?|emploie|préfère|garde[zr]?|écri[st]|écrivez|assure-toi|assurez-vous|veille[zr]?|pense[zr]? à|n'oublie[zr]? pas|mets|mettez|lance[zr]?|réponds|nomme[zr]?) .{2,}",
    "(?:toujours|jamais|uniquement|seulement|exclusivement) .{0,20}(?:utiliser|écrire|lancer|modifier|toucher|mettre|faire|utilise|en anglais|en français)",
    "(?:on|nous|je) (?:n')?(?:ne )?(?:utilis\\w+|écri\\w+|fai\\w+|commit\\w*|mock\\w*|préf\\w+|support\\w+|pren\\w+|met\\w*) (?:toujours|jamais|uniquement|que|pas de|seulement)",
    "je (?:préfère|veux (?:toujours|que)|ne veux (?:pas|jamais|plus)|déteste|n'aime pas (?:les|le|la|qu))",
    "(?:doit|doivent|devez|dois) (?:toujours|jamais|être|rester|avoir|passer|utiliser|commencer)",
    "(?:est|sont) (?:interdite?s?|obligatoires?)",
  ],
  decision: [
    "(?:on|nous|j'|l'équipe) ?(?:a|ai|avons|avait)? ?(?:finalement |déjà )?(?:décidé|choisi|opté|convenu|tranché|retenu)",
    "^(?:décision|décidé|convenu|acté|amendement|c'est décidé|définitif)\\b[^?]{0,30}[:—–-]",
    "(?:on (?:part sur|passe à|reste sur|garde|abandonne|va (?:utiliser|prendre|passer))|partons sur|restons sur|passons à|nous (?:passons|restons|utiliserons|abandonnons)|nous sommes passés à|on est passés? à)",
    "(?:changé d'avis)",
  ],
  decided: ["(?:nous avons|on a) (?:décidé|choisi|convenu)"],
  correction: [
    "^(?:non|faux|attends|attendez|en fait|correction|erreur|pas tout à fait)(?: non)?[,.!:;—– -]",
    "(?:c'est (?:faux|incorrect|dépassé|erroné)|ce n'est (?:pas (?:ça|vrai|correct|juste)|plus)|changé d'avis|ne .{1,30} plus|au lieu (?:de|d')|plutôt que|à la place|remplac\\w+|finalement|, pas .{1,40}|et non )",
  ],
  rejection: [
    "(?:au lieu d[e'u]s?|plutôt que|à la place d[e'u]s?|et non|remplace) ?(?:le |la |les |l'|une? |des |d'|de )?(.+?)(?=[,;.!?)]|$| (?:pour|car|parce|dans|en|—|–|-) )",
    "(?:, |^)(?:et )?(?:pas|non) (?:le |la |les |l'|une? |des |de |d'|en |à )?(.+?)(?=[,;.!?)]|$| (?:mais|pour|car|parce|dans|—|–) )",
    "n'\\w+ plus (?:le |la |les |de |d')?(.+?)(?=[,;.!?)]|$)",
  ],
  fact: [
    "^(?:le |la |les |l'|notre |nos |mon |ma |tous |chaque |ce projet )(?!(?:test|build|page|serveur)s? (?:est|sont) (?:cassée?s?|rouges?))[^,;:]{2,70}? (?:est|sont|tourne|tournent|utilise|utilisent|écoute|attend|exige|nécessite|supporte|renvoie|contient|a|ont|reste|appartient|expire|se trouve)\\b",
    "^(?:on|nous) (?:utilis\\w+|héberg\\w+|déploy\\w+|stock\\w+|travaill\\w+|avons) ",
  ],
  failed: [
    "(?:on|nous|j'|je) ?(?:a|ai|avons) (?:déjà )?(?:essayé|tenté|testé)",
    "(?:n'a|n'ont|ça n'a) (?:pas|rien) (?:marché|fonctionné|aidé|changé|donné)",
  ],
  outcome: [
    "(?:la )?cause (?:racine |première )?(?:était|est|venait)",
    "(?:le problème|l'erreur|le bug|la panne|la raison) (?:était|venait|provenait)",
    "(?:corrigé|résolu|réglé) (?:en|par|avec)",
  ],
  passing: [
    "(?:pour l'instant|pour le moment|(?<!à partir d'|dès |(?:décidé|choisi|convenu) )aujourd'hui(?!,? (?:on a|nous avons) (?:décidé|choisi|convenu))|demain|cette fois|ce soir|ce matin|juste (?:cette|pour)|en ce moment|tout à l'heure|plus tard|provisoirement|pour cette (?:pr|branche|démo)|pour ce (?:commit|test)|pour la démo|cette semaine|laisse tomber|tant pis|peu importe|^continue|pas encore|vite)",
    "^(?:laisse-moi|je (?:vais|regarde|vérifie|commence)|ensuite)",
    "(?:option|variante|numéro|proposition) (?:\\d|un|deux|trois|a|b)\\b",
    "(?:la|le) (?:première?|deuxième|seconde?|dernière?|autre) (?:option|solution|variante|proposition)?",
    "jamais (?:vu|entendu|eu)",
  ],
  request: [
    String.raw`^(?:(?:s'il te plaît|ok|et|salut|maintenant|ensuite|peux-tu|tu peux),? )*(?:ajoute[rz]?|écris (?:un|une|le)|implémente|corrige|refactorise|renomme|supprime|déplace|découpe|crée|fais|rends|change|remplace|passe|démarre|cherche|regarde|mets|génère|(?:montre|explique)(?:-moi|-nous)?|décris|traduis|résume) `,
    String.raw`^(?:j'ai besoin|je voudrais|il nous faut|on a besoin) `,
  ],
  trouble: [
    String.raw`(?:faux|fausse|mauvaise?|vide|blanche?|cassée?|lente?|manque|deux fois|échoue|plante|lève|ne fait rien|ne trouve rien|n'arrive pas|n'a pas tourné|décalée?s?|disparaît|cache le|remonte)`,
    "signale(?:nt)? que|se plaint",
    String.raw`j'ai une? `,
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
  agreement: ["^(?:oui|exactement|exact|d'accord|parfait|ok|c'est ça|vas-y|très bien|tout à fait)"],
  recap: [
    "^(?:récapitulatif|récap|en résumé|en bref|résumé|décidé|convenu|compris|c'est noté|noté|final|règle finale|bilan)\\b[^.?!]{0,60}[:—–,-]",
  ],
  examples: [
    ["Désormais, lance toujours les tests avant de committer.", "preference"],
    ["Utilise pnpm, pas npm.", "preference"],
    ["On a décidé de stocker les montants en centimes.", "decision"],
    ["Non, le délai est de 30 secondes, pas 10.", "fact"],
    ["Laisse tomber les tests pour l'instant.", null],
    ["Et si on utilisait Redis ?", null],
  ],
};
