-- What a master key protects once it has been changed (infra/keys/master-secrets.ts): keys that wrap people's keys, by
-- version, and the key of email claims. While a change is under way, both master keys have their own rows.
CREATE TABLE keys.master_secret (
  -- Tells master keys apart, and nothing about them.
  master text NOT NULL,
  name text NOT NULL,
  wrapped bytea NOT NULL,
  PRIMARY KEY (master, name)
);

-- Which of the wrapping keys a person's key is wrapped with. 0: the first master key itself.
ALTER TABLE keys.subject_key ADD COLUMN wrapping integer NOT NULL DEFAULT 0;
