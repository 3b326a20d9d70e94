ALTER TABLE "facts" ADD "superseded_at" text COLLATE "C";
