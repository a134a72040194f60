-- How far the log's erasures have been applied to these keys. It lies with the keys, so that an older backup of them
-- brings an older place back, and what was erased since is erased again.
CREATE TABLE keys.erasures_applied (
  log_id text PRIMARY KEY,
  position text NOT NULL
);
