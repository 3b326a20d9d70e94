ALTER TABLE "idempotency_keys" ADD "change_id" bigint;
