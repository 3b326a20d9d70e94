export const SHOP = `
topic name=payments as=pay "Everything about charging customers"
remember "The payment gateway is called with a timeout of 30 seconds." episode_type=fact entities=file:src/payments/gateway.ts,tool:gateway asserted_by=ada source_ref=https://example.com/wiki occurred_at=2026-03-10 session=s1 as=slow
remember "The payment gateway is called with a timeout of 10 seconds." episode_type=fact entities=file:src/payments/gateway.ts,tool:gateway asserted_by=bruno occurred_at=2026-04-02 session=s1 as=quick
remember "A retry after a timeout charged 14 customers twice." episode_type=outcome entities=project:shop,function:charge asserted_by=bruno session=s1 as=twice
remember "Re-running the mail job sent 200 receipts again." episode_type=outcome entities=project:shop asserted_by=ada session=s2 as=mail
remember "We deploy on Tuesdays, never on Fridays." episode_type=decision entities=project:shop asserted_by=ada session=s2 as=deploy
remember "Which payment gateway do we use in Brazil?" episode_type=question entities=tool:gateway asserted_by=ci session=s2
concept "Every call that charges carries a key, so that it can be repeated." title="Make side effects idempotent" type=pattern confidence=0.8 from=$twice,$mail as=rule
evidence concept=$rule episode=$twice type=supports strength=0.9
conflict fact_a=$slow fact_b=$quick severity=high "The file says 30 s, the wiki says 10 s"
label id=$twice key=area value=billing
`;
