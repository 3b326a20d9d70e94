CREATE INDEX "episodes_source_ref" ON "episodes" ("source_ref") WHERE "episodes"."source_ref" is not null;
