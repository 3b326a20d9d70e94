DROP INDEX "pending_vectors_order";
ALTER TABLE "pending_vectors" ADD "can_wait" bigint DEFAULT 0 NOT NULL;
CREATE INDEX "pending_vectors_order" ON "pending_vectors" ("can_wait","item_id");
ALTER TABLE "vectors" ADD "tokens" bytea;
