-- Written by remind 0.14; embeddings, indexes and the event log are left out.
CREATE TABLE concepts (
	id VARCHAR(191) NOT NULL, 
	title TEXT, 
	summary TEXT, 
	search_text TEXT, 
	deleted_at DATETIME, 
	data JSON NOT NULL, 
	embedding BLOB, 
	created_at DATETIME DEFAULT CURRENT_TIMESTAMP, 
	updated_at DATETIME DEFAULT CURRENT_TIMESTAMP, 
	PRIMARY KEY (id)
);
INSERT INTO "concepts" VALUES ('b9353dd5-371c-457e-a47b-705e5f08f499', 'Facts about postgres, orders', '', 'Facts about postgres, orders ', NULL, '{"id": "b9353dd5-371c-457e-a47b-705e5f08f499", "title": "Facts about postgres, orders", "summary": "", "confidence": 1.0, "instance_count": 1, "created_at": "2026-11-22T01:31:39.179210", "updated_at": "2026-11-22T01:31:39.213196", "relations": [], "source_episodes": [], "conditions": null, "exceptions": [], "embedding": null, "tags": [], "labels": {}, "last_accessed": null, "access_count": 0, "decay_factor": 1.0, "deleted_at": null, "concept_type": "fact_cluster", "specifics": "orders runs on Postgres 16\norders runs on Postgres 14", "evidence": [], "actionable": true, "conflicts": [], "entity_ids": ["tool:postgres", "project:orders"], "parent_id": null, "lineage_note": null}', NULL, '2026-11-22 01:31:39.179210', '2026-11-22 01:31:39.213196');
INSERT INTO "concepts" VALUES ('6bd8917e-239b-40cd-b821-03d7ab8529a8', 'Facts about orders, checkout', '', 'Facts about orders, checkout ', NULL, '{"id": "6bd8917e-239b-40cd-b821-03d7ab8529a8", "title": "Facts about orders, checkout", "summary": "", "confidence": 1.0, "instance_count": 1, "created_at": "2026-11-22T01:31:39.220946", "updated_at": "2026-11-22T01:31:39.242920", "relations": [], "source_episodes": [], "conditions": null, "exceptions": [], "embedding": null, "tags": [], "labels": {}, "last_accessed": null, "access_count": 0, "decay_factor": 1.0, "deleted_at": null, "concept_type": "fact_cluster", "specifics": "checkout times out after 10 seconds\ncheckout times out after 30 seconds", "evidence": [], "actionable": true, "conflicts": [], "entity_ids": ["project:orders", "function:checkout"], "parent_id": null, "lineage_note": null}', NULL, '2026-11-22 01:31:39.220946', '2026-11-22 01:31:39.242920');
INSERT INTO "concepts" VALUES ('21bab9c5-1043-4540-bf27-6524bd468d0a', 'Warm what a deploy empties', 'Caches that are empty after a deploy are filled before traffic comes.', 'Warm what a deploy empties Caches that are empty after a deploy are filled before traffic comes.', NULL, '{"id": "21bab9c5-1043-4540-bf27-6524bd468d0a", "title": "Warm what a deploy empties", "summary": "Caches that are empty after a deploy are filled before traffic comes.", "confidence": 0.5, "instance_count": 1, "created_at": "2026-11-22T01:31:39.274445", "updated_at": "2026-11-22T01:31:39.274446", "relations": [], "source_episodes": ["f5ed7800-63af-4453-8504-477b2eb5f830", "ba7b9adb-d288-454b-a31d-e9a9711c882c"], "conditions": null, "exceptions": [], "embedding": [0.0, 0.0, 0.2672612419124244, 0.2672612419124244, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2672612419124244, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2672612419124244, 0.0, 0.0, 0.0, 0.2672612419124244, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2672612419124244, 0.2672612419124244, 0.0, 0.0, 0.0, 0.5345224838248488, 0.0, 0.0, 0.0, 0.2672612419124244, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2672612419124244, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2672612419124244, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "tags": [], "labels": {}, "last_accessed": null, "access_count": 0, "decay_factor": 1.0, "deleted_at": null, "concept_type": "pattern", "specifics": [], "evidence": [], "actionable": true, "conflicts": [], "entity_ids": ["file:src/cache.ts", "project:orders", "subject:caching"], "parent_id": null, "lineage_note": null}', NULL, '2026-11-22 01:31:39.274445', '2026-11-22 01:31:39.274446');
CREATE TABLE episodes (
	id VARCHAR(191) NOT NULL, 
	title TEXT, 
	content TEXT, 
	episode_type VARCHAR(191), 
	deleted_at DATETIME, 
	data JSON NOT NULL, 
	consolidated BOOLEAN, 
	timestamp DATETIME DEFAULT CURRENT_TIMESTAMP, 
	embedding BLOB, 
	PRIMARY KEY (id)
);
INSERT INTO "episodes" VALUES ('3c393b11-2851-4842-9380-464b72d6008a', NULL, 'orders runs on Postgres 14', 'fact', NULL, '{"id": "3c393b11-2851-4842-9380-464b72d6008a", "created_at": "2026-11-22T01:31:39.159196", "updated_at": "2026-11-22T01:31:39.159196", "timestamp": "2026-11-22T01:31:39.159196", "title": null, "content": "orders runs on Postgres 14", "episode_type": "fact", "summary": null, "concepts_activated": [], "entity_ids": ["tool:postgres", "project:orders"], "consolidated": true, "entities_extracted": false, "relations_extracted": false, "confidence": 1.0, "metadata": {}, "labels": {}, "source_type": null, "asserted_by": "lena", "source_ref": "wiki/db", "deleted_at": null}', 1, '2026-11-22 01:31:39.159196', NULL);
INSERT INTO "episodes" VALUES ('534d9759-fdbe-44fb-8c46-34f69fceecc6', NULL, 'orders runs on Postgres 16', 'fact', NULL, '{"id": "534d9759-fdbe-44fb-8c46-34f69fceecc6", "created_at": "2026-11-22T01:31:39.202974", "updated_at": "2026-11-22T01:31:39.202974", "timestamp": "2026-11-22T01:31:39.202974", "title": null, "content": "orders runs on Postgres 16", "episode_type": "fact", "summary": null, "concepts_activated": [], "entity_ids": ["tool:postgres", "project:orders"], "consolidated": true, "entities_extracted": false, "relations_extracted": false, "confidence": 1.0, "metadata": {}, "labels": {}, "source_type": null, "asserted_by": "lena", "source_ref": "wiki/db2", "deleted_at": null}', 1, '2026-11-22 01:31:39.202974', NULL);
INSERT INTO "episodes" VALUES ('ab7c004a-29c1-4bb4-920a-73785fcc1d9a', NULL, 'checkout times out after 30 seconds', 'fact', NULL, '{"id": "ab7c004a-29c1-4bb4-920a-73785fcc1d9a", "created_at": "2026-11-22T01:31:39.215331", "updated_at": "2026-11-22T01:31:39.215331", "timestamp": "2026-11-22T01:31:39.215331", "title": null, "content": "checkout times out after 30 seconds", "episode_type": "fact", "summary": null, "concepts_activated": [], "entity_ids": ["project:orders", "function:checkout"], "consolidated": true, "entities_extracted": false, "relations_extracted": false, "confidence": 1.0, "metadata": {}, "labels": {}, "source_type": null, "asserted_by": "tom", "source_ref": null, "deleted_at": null}', 1, '2026-11-22 01:31:39.215331', NULL);
INSERT INTO "episodes" VALUES ('afffd137-ca7a-4582-8919-d3e53cfe728c', NULL, 'checkout times out after 10 seconds', 'fact', NULL, '{"id": "afffd137-ca7a-4582-8919-d3e53cfe728c", "created_at": "2026-11-22T01:31:39.228124", "updated_at": "2026-11-22T01:31:39.228124", "timestamp": "2026-11-22T01:31:39.228124", "title": null, "content": "checkout times out after 10 seconds", "episode_type": "fact", "summary": null, "concepts_activated": [], "entity_ids": ["project:orders", "function:checkout"], "consolidated": true, "entities_extracted": false, "relations_extracted": false, "confidence": 1.0, "metadata": {}, "labels": {}, "source_type": null, "asserted_by": "lena", "source_ref": null, "deleted_at": null}', 1, '2026-11-22 01:31:39.228124', NULL);
INSERT INTO "episodes" VALUES ('f5ed7800-63af-4453-8504-477b2eb5f830', NULL, 'The cache is cold after each deploy', 'observation', NULL, '{"id": "f5ed7800-63af-4453-8504-477b2eb5f830", "created_at": "2026-11-22T01:31:39.251280", "updated_at": "2026-11-22T01:31:39.251280", "timestamp": "2026-11-22T01:31:39.251280", "title": null, "content": "The cache is cold after each deploy", "episode_type": "observation", "summary": null, "concepts_activated": [], "entity_ids": ["subject:caching", "file:src/cache.ts"], "consolidated": true, "entities_extracted": false, "relations_extracted": false, "confidence": 1.0, "metadata": {}, "labels": {}, "source_type": null, "asserted_by": "tom", "source_ref": null, "deleted_at": null}', 1, '2026-11-22 01:31:39.251280', NULL);
INSERT INTO "episodes" VALUES ('ba7b9adb-d288-454b-a31d-e9a9711c882c', NULL, 'We warm the cache in a job after each deploy', 'decision', NULL, '{"id": "ba7b9adb-d288-454b-a31d-e9a9711c882c", "created_at": "2026-11-22T01:31:39.261150", "updated_at": "2026-11-22T01:31:39.292748", "timestamp": "2026-11-22T01:31:39.292748", "title": null, "content": "We warm the cache in a job after each deploy", "episode_type": "decision", "summary": null, "concepts_activated": [], "entity_ids": ["project:orders"], "consolidated": true, "entities_extracted": false, "relations_extracted": false, "confidence": 1.0, "metadata": {}, "labels": {"area": ["ops"]}, "source_type": null, "asserted_by": "lena", "source_ref": null, "deleted_at": null}', 1, '2026-11-22 01:31:39.292748', NULL);
CREATE TABLE entities (
	id VARCHAR(191) NOT NULL, 
	type VARCHAR(191) NOT NULL, 
	display_name TEXT, 
	data JSON, 
	created_at DATETIME DEFAULT CURRENT_TIMESTAMP, 
	embedding BLOB, 
	PRIMARY KEY (id)
);
INSERT INTO "entities" VALUES ('tool:postgres', 'tool', 'postgres', '{"id": "tool:postgres", "type": "tool", "display_name": "postgres", "created_at": "2026-11-22T01:31:39.157512", "metadata": {}, "embedding": null}', '2026-11-22 01:31:39.157512', NULL);
INSERT INTO "entities" VALUES ('project:orders', 'project', 'orders', '{"id": "project:orders", "type": "project", "display_name": "orders", "created_at": "2026-11-22T01:31:39.158917", "metadata": {}, "embedding": null}', '2026-11-22 01:31:39.158917', NULL);
INSERT INTO "entities" VALUES ('function:checkout', 'function', 'checkout', '{"id": "function:checkout", "type": "function", "display_name": "checkout", "created_at": "2026-11-22T01:31:39.215093", "metadata": {}, "embedding": null}', '2026-11-22 01:31:39.215093', NULL);
INSERT INTO "entities" VALUES ('subject:caching', 'subject', 'caching', '{"id": "subject:caching", "type": "subject", "display_name": "caching", "created_at": "2026-11-22T01:31:39.250458", "metadata": {}, "embedding": null}', '2026-11-22 01:31:39.250458', NULL);
INSERT INTO "entities" VALUES ('file:src/cache.ts', 'file', 'src/cache.ts', '{"id": "file:src/cache.ts", "type": "file", "display_name": "src/cache.ts", "created_at": "2026-11-22T01:31:39.251069", "metadata": {}, "embedding": null}', '2026-11-22 01:31:39.251069', NULL);
CREATE TABLE conflicts (
	id VARCHAR(191) NOT NULL, 
	kind VARCHAR(191) DEFAULT 'fact' NOT NULL, 
	fact_a_id VARCHAR(191), 
	fact_b_id VARCHAR(191), 
	concept_ids TEXT, 
	description TEXT NOT NULL, 
	severity VARCHAR(191) DEFAULT 'medium' NOT NULL, 
	status VARCHAR(191) DEFAULT 'open' NOT NULL, 
	created_at DATETIME DEFAULT CURRENT_TIMESTAMP, 
	resolved_at DATETIME, 
	resolution_note TEXT, 
	resolved_by TEXT, 
	winning_fact_id VARCHAR(191), 
	PRIMARY KEY (id)
);
INSERT INTO "conflicts" VALUES ('9c4a3d46-931a-4635-80b5-ac28df79f6d5', 'fact', '5c33bf95-78a2-445e-bec9-4e6f7ff4f9dd', 'd1e561a9-94a5-4680-8736-c0f87192df3d', '["b9353dd5-371c-457e-a47b-705e5f08f499"]', 'Superseded: 5c33bf95-78a2-445e-bec9-4e6f7ff4f9dd replaced by d1e561a9-94a5-4680-8736-c0f87192df3d', 'low', 'resolved', '2026-11-22 01:31:39.262590', '2026-11-22 01:31:39.262590', NULL, NULL, 'd1e561a9-94a5-4680-8736-c0f87192df3d');
INSERT INTO "conflicts" VALUES ('092cc6e3-821c-4477-aef5-5bae31281797', 'fact', '0005f58a-d572-4905-9cd9-0acf5624220e', '565cd61c-4664-4e86-96fc-5c9a385f8ebd', '["6bd8917e-239b-40cd-b821-03d7ab8529a8"]', 'wiki against code', 'high', 'open', '2026-11-22 01:31:39.273352', NULL, NULL, NULL, NULL);
CREATE TABLE metadata (
	"key" VARCHAR(191) NOT NULL, 
	value TEXT, 
	PRIMARY KEY ("key")
);
INSERT INTO "metadata" VALUES ('facts_backfill_v1', 'done');
INSERT INTO "metadata" VALUES ('conflicts_backfill_v1', 'done');
INSERT INTO "metadata" VALUES ('evidence_backfill_v1', 'done');
INSERT INTO "metadata" VALUES ('labels_backfill_v1', 'done');
INSERT INTO "metadata" VALUES ('embedding_dimensions', '128');
INSERT INTO "metadata" VALUES ('embedding_fingerprint', '{"dimensions": 128, "input_version": 1, "provider": "deterministic:token-hash-v1"}');
CREATE TABLE labels (
	subject_type VARCHAR(191) NOT NULL, 
	subject_id VARCHAR(191) NOT NULL, 
	"key" VARCHAR(191) NOT NULL, 
	value VARCHAR(191) NOT NULL, 
	PRIMARY KEY (subject_type, subject_id, "key", value)
);
INSERT INTO "labels" VALUES ('episode', 'ba7b9adb-d288-454b-a31d-e9a9711c882c', 'area', 'ops');
CREATE TABLE relations (
	source_id VARCHAR(191) NOT NULL, 
	target_id VARCHAR(191) NOT NULL, 
	type VARCHAR(191) NOT NULL, 
	strength FLOAT, 
	context TEXT, 
	PRIMARY KEY (source_id, target_id, type), 
	FOREIGN KEY(source_id) REFERENCES concepts (id) ON DELETE CASCADE, 
	FOREIGN KEY(target_id) REFERENCES concepts (id) ON DELETE CASCADE
);
CREATE TABLE mentions (
	episode_id VARCHAR(191) NOT NULL, 
	entity_id VARCHAR(191) NOT NULL, 
	created_at DATETIME DEFAULT CURRENT_TIMESTAMP, 
	PRIMARY KEY (episode_id, entity_id), 
	FOREIGN KEY(episode_id) REFERENCES episodes (id) ON DELETE CASCADE, 
	FOREIGN KEY(entity_id) REFERENCES entities (id) ON DELETE CASCADE
);
INSERT INTO "mentions" VALUES ('3c393b11-2851-4842-9380-464b72d6008a', 'tool:postgres', '2026-11-22 01:31:39');
INSERT INTO "mentions" VALUES ('3c393b11-2851-4842-9380-464b72d6008a', 'project:orders', '2026-11-22 01:31:39');
INSERT INTO "mentions" VALUES ('534d9759-fdbe-44fb-8c46-34f69fceecc6', 'tool:postgres', '2026-11-22 01:31:39');
INSERT INTO "mentions" VALUES ('534d9759-fdbe-44fb-8c46-34f69fceecc6', 'project:orders', '2026-11-22 01:31:39');
INSERT INTO "mentions" VALUES ('ab7c004a-29c1-4bb4-920a-73785fcc1d9a', 'project:orders', '2026-11-22 01:31:39');
INSERT INTO "mentions" VALUES ('ab7c004a-29c1-4bb4-920a-73785fcc1d9a', 'function:checkout', '2026-11-22 01:31:39');
INSERT INTO "mentions" VALUES ('afffd137-ca7a-4582-8919-d3e53cfe728c', 'project:orders', '2026-11-22 01:31:39');
INSERT INTO "mentions" VALUES ('afffd137-ca7a-4582-8919-d3e53cfe728c', 'function:checkout', '2026-11-22 01:31:39');
INSERT INTO "mentions" VALUES ('f5ed7800-63af-4453-8504-477b2eb5f830', 'subject:caching', '2026-11-22 01:31:39');
INSERT INTO "mentions" VALUES ('f5ed7800-63af-4453-8504-477b2eb5f830', 'file:src/cache.ts', '2026-11-22 01:31:39');
INSERT INTO "mentions" VALUES ('ba7b9adb-d288-454b-a31d-e9a9711c882c', 'project:orders', '2026-11-22 01:31:39');
CREATE TABLE entity_relations (
	source_id VARCHAR(191) NOT NULL, 
	target_id VARCHAR(191) NOT NULL, 
	relation_type VARCHAR(191) NOT NULL, 
	strength FLOAT, 
	context TEXT, 
	source_episode_id VARCHAR(191), 
	created_at DATETIME DEFAULT CURRENT_TIMESTAMP, 
	episode_count INTEGER, 
	source_episode_ids TEXT, 
	PRIMARY KEY (source_id, target_id, relation_type), 
	FOREIGN KEY(source_id) REFERENCES entities (id) ON DELETE CASCADE, 
	FOREIGN KEY(target_id) REFERENCES entities (id) ON DELETE CASCADE, 
	FOREIGN KEY(source_episode_id) REFERENCES episodes (id) ON DELETE SET NULL
);
CREATE TABLE facts (
	id VARCHAR(191) NOT NULL, 
	cluster_id VARCHAR(191), 
	statement TEXT NOT NULL, 
	attribute TEXT, 
	entity_ids TEXT, 
	valid_from DATETIME NOT NULL, 
	valid_to DATETIME, 
	superseded_by VARCHAR(191), 
	asserted_by TEXT, 
	source_ref TEXT, 
	source_episode_id VARCHAR(191), 
	created_at DATETIME DEFAULT CURRENT_TIMESTAMP, 
	embedding BLOB, 
	PRIMARY KEY (id), 
	FOREIGN KEY(cluster_id) REFERENCES concepts (id) ON DELETE CASCADE
);
INSERT INTO "facts" VALUES ('5c33bf95-78a2-445e-bec9-4e6f7ff4f9dd', 'b9353dd5-371c-457e-a47b-705e5f08f499', 'orders runs on Postgres 14', NULL, '["tool:postgres", "project:orders"]', '2026-11-22 01:31:39.159196', '2026-11-22 01:31:39.262169', 'd1e561a9-94a5-4680-8736-c0f87192df3d', 'lena', 'wiki/db', '3c393b11-2851-4842-9380-464b72d6008a', '2026-11-22 01:31:39.180960', NULL);
INSERT INTO "facts" VALUES ('d1e561a9-94a5-4680-8736-c0f87192df3d', 'b9353dd5-371c-457e-a47b-705e5f08f499', 'orders runs on Postgres 16', NULL, '["tool:postgres", "project:orders"]', '2026-11-22 01:31:39.202974', NULL, NULL, 'lena', 'wiki/db2', '534d9759-fdbe-44fb-8c46-34f69fceecc6', '2026-11-22 01:31:39.207096', NULL);
INSERT INTO "facts" VALUES ('0005f58a-d572-4905-9cd9-0acf5624220e', '6bd8917e-239b-40cd-b821-03d7ab8529a8', 'checkout times out after 30 seconds', NULL, '["project:orders", "function:checkout"]', '2026-11-22 01:31:39.215331', NULL, NULL, 'tom', NULL, 'ab7c004a-29c1-4bb4-920a-73785fcc1d9a', '2026-11-22 01:31:39.221467', NULL);
INSERT INTO "facts" VALUES ('565cd61c-4664-4e86-96fc-5c9a385f8ebd', '6bd8917e-239b-40cd-b821-03d7ab8529a8', 'checkout times out after 10 seconds', NULL, '["project:orders", "function:checkout"]', '2026-11-22 01:31:39.228124', NULL, NULL, 'lena', NULL, 'afffd137-ca7a-4582-8919-d3e53cfe728c', '2026-11-22 01:31:39.229330', NULL);
CREATE TABLE evidence (
	id VARCHAR(191) NOT NULL, 
	episode_id VARCHAR(191) NOT NULL, 
	concept_id VARCHAR(191) NOT NULL, 
	link_type VARCHAR(191) DEFAULT 'supports' NOT NULL, 
	strength FLOAT, 
	note TEXT, 
	created_at DATETIME DEFAULT CURRENT_TIMESTAMP, 
	PRIMARY KEY (id), 
	FOREIGN KEY(episode_id) REFERENCES episodes (id) ON DELETE CASCADE, 
	FOREIGN KEY(concept_id) REFERENCES concepts (id) ON DELETE CASCADE
);
INSERT INTO "evidence" VALUES ('4394bd07-c1fa-4317-b435-667531c38d55', 'f5ed7800-63af-4453-8504-477b2eb5f830', '21bab9c5-1043-4540-bf27-6524bd468d0a', 'supports', 0.5, NULL, '2026-11-22 01:31:39.275087');
INSERT INTO "evidence" VALUES ('d4b270f5-5a36-456c-8416-2bb82b913bf1', 'ba7b9adb-d288-454b-a31d-e9a9711c882c', '21bab9c5-1043-4540-bf27-6524bd468d0a', 'supports', 0.5, NULL, '2026-11-22 01:31:39.275657');
INSERT INTO "evidence" VALUES ('6058b26b-53b3-496b-883c-cd006177076e', 'f5ed7800-63af-4453-8504-477b2eb5f830', '21bab9c5-1043-4540-bf27-6524bd468d0a', 'supports', 0.8, 'seen twice', '2026-11-22 01:31:39.292057');
