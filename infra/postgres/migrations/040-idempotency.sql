-- Requests that came with an Idempotency-Key: their ids, written before they are executed, and their sealed reply.
CREATE TABLE app.keyed_request (
  user_id text NOT NULL,
  key_hash bytea NOT NULL,
  request_hash bytea NOT NULL,
  allocated text NOT NULL,
  reply text,
  requested_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, key_hash)
);
CREATE INDEX keyed_request_age ON app.keyed_request (requested_at);
