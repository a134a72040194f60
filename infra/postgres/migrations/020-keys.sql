-- The keys that seal personal data (DESIGN 9): backed up apart from everything else.
CREATE SCHEMA IF NOT EXISTS keys;

-- A subject and its newest version. A row with destroyed_at is a tombstone and stays for ever.
CREATE TABLE keys.subject (
  subject text PRIMARY KEY,
  version integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  destroyed_at timestamptz
);

-- Each version's 256-bit key, wrapped by the master key (AES-256-GCM).
CREATE TABLE keys.subject_key (
  subject text NOT NULL REFERENCES keys.subject,
  version integer NOT NULL,
  wrapped bytea NOT NULL,
  PRIMARY KEY (subject, version)
);

-- Statements of their own, each with its own snapshot: a key that was being made when the tombstone came is seen and deleted.
CREATE FUNCTION keys.destroy(wanted text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keys.subject (subject, version, destroyed_at) VALUES (wanted, 0, clock_timestamp())
    ON CONFLICT (subject) DO UPDATE SET destroyed_at = coalesce(keys.subject.destroyed_at, excluded.destroyed_at);
  DELETE FROM keys.subject_key WHERE subject = wanted;
  PERFORM pg_notify('keys_destroyed', wanted);
END $$;
