-- The Merkle tree over the log, as the sequencer keeps it (infra/tree).

CREATE TABLE app.tree (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Whose tree it is: the log's id, and its name in checkpoints. Null until a sequencer has begun.
  log_id text,
  origin text,
  -- How many entries it has, and the position of the last.
  size bigint NOT NULL DEFAULT 0,
  position text COLLATE "C" NOT NULL DEFAULT '',
  -- Why nothing is signed any more, and since when.
  broken text,
  broken_at timestamptz,
  holder uuid,
  lease_until timestamptz
);
INSERT INTO app.tree DEFAULT VALUES;

-- The leaves of consecutive entries: 32 bytes each, and the stream and revision of each as stream@revision.
CREATE TABLE app.tree_run (
  first bigint PRIMARY KEY,
  -- The position before its first entry.
  after text COLLATE "C" NOT NULL,
  hashes bytea NOT NULL,
  names text[] NOT NULL
);
CREATE INDEX ON app.tree_run (after);
-- Hashes don't compress.
ALTER TABLE app.tree_run ALTER COLUMN hashes SET STORAGE EXTERNAL;

-- The full subtrees of 256 entries and more.
CREATE TABLE app.tree_node (
  level smallint NOT NULL,
  index bigint NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (level, index)
);

CREATE TABLE app.tree_checkpoint (
  size bigint PRIMARY KEY,
  note text NOT NULL,
  signed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Comparisons of the whole log with its tree: asked for, under way and done.
CREATE TABLE app.tree_check (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked_by text NOT NULL,
  started_at timestamptz,
  done_at timestamptz,
  -- How many entries of how many are compared.
  compared bigint NOT NULL DEFAULT 0,
  size bigint,
  findings jsonb,
  error text
);
