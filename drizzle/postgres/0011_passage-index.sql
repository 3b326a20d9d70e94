-- The text index of passages, and a further kind in two checks.
CREATE TABLE text_words_passage (LIKE text_words_episode INCLUDING ALL);
CREATE TABLE text_items_passage (LIKE text_items_episode INCLUDING ALL);
ALTER TABLE "pending_vectors" DROP CONSTRAINT "pending_vector_kind";
ALTER TABLE "pending_vectors" ADD CONSTRAINT "pending_vector_kind" CHECK("pending_vectors"."kind" in ('episode', 'concept', 'passage'));
ALTER TABLE "vectors" DROP CONSTRAINT "vector_kind";
ALTER TABLE "vectors" ADD CONSTRAINT "vector_kind" CHECK("vectors"."kind" in ('episode', 'concept', 'passage'));
