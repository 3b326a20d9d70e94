-- The columns of claude-mem's tables that matter here.
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL, memory_session_id TEXT UNIQUE, project TEXT NOT NULL, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL);
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT, prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT UNIQUE NOT NULL, project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
INSERT INTO sdk_sessions VALUES (1, 'c-1', 's-1', 'orders', '2026-02-03T10:00:00.000Z', 1770112800000);
INSERT INTO observations (memory_session_id, project, text, type, title, subtitle, facts, narrative, concepts, files_read, files_modified, created_at, created_at_epoch) VALUES
 ('s-1', 'orders', NULL, 'bugfix', 'Retry no longer doubles a charge', 'The key is kept with the charge', '["A charge has one idempotency key","Keys are kept for a day"]', 'The retry made a new key each time.', '["gotcha","how-it-works"]', '["src/charge.ts"]', '["src/charge.ts","test/charge.test.ts"]', '2026-02-03T10:05:00.000Z', 1770113100000),
 ('s-1', 'orders', 'old style', 'discovery', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-02-03T10:06:00.000Z', 1770113160000);
INSERT INTO session_summaries (memory_session_id, project, request, learned, completed, created_at, created_at_epoch) VALUES
 ('s-1', 'orders', 'Find the double charge', 'Keys were made anew', 'Fixed and tested', '2026-02-03T10:20:00.000Z', 1770114000000);
