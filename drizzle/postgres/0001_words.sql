-- Full text: for each word the items that hold it, with what BM25 asks of them.
CREATE TABLE text_words_episode (
	word text COLLATE "C" NOT NULL,
	number bigint NOT NULL,
	weight integer NOT NULL,
	length integer NOT NULL,
	PRIMARY KEY (word, number) INCLUDE (weight, length)
);
CREATE TABLE text_words_concept (LIKE text_words_episode INCLUDING ALL);

-- The items that the index holds: one is taken out by its own words.
CREATE TABLE text_items_episode (
	number bigint PRIMARY KEY,
	length integer NOT NULL,
	words text[] NOT NULL
);
CREATE TABLE text_items_concept (LIKE text_items_episode INCLUDING ALL);

-- How many items and words the index of a kind holds.
CREATE TABLE text_totals (
	kind text COLLATE "C" PRIMARY KEY,
	items bigint NOT NULL,
	words bigint NOT NULL
);
