-- Organisers' systems that are told what happens (command-api/hooks).
CREATE SEQUENCE app.hook_id AS bigint;

-- The secrets that sign messages, sealed. A former one is good until `until`.
CREATE TABLE app.hook_secret (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hook_id integer NOT NULL,
  sealed text NOT NULL,
  until timestamptz
);
CREATE INDEX ON app.hook_secret (hook_id);

-- How far the log has been turned into messages, and who does it.
CREATE TABLE app.hook_follower (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  log_id text,
  position text COLLATE "C",
  holder uuid,
  lease_until timestamptz
);
INSERT INTO app.hook_follower DEFAULT VALUES;

CREATE TABLE app.hook_delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hook_id integer NOT NULL,
  -- The event's id, or that of a test.
  message_id text NOT NULL,
  type text NOT NULL,
  body text NOT NULL,
  status text NOT NULL DEFAULT 'waiting',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Since when it is tried: it is given up some days after that.
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  tries integer NOT NULL DEFAULT 0,
  tried_at timestamptz,
  attempts jsonb NOT NULL DEFAULT '[]',
  UNIQUE (hook_id, message_id)
);
CREATE INDEX hook_delivery_waiting ON app.hook_delivery (hook_id, id) WHERE status = 'waiting';
CREATE INDEX hook_delivery_tried ON app.hook_delivery (hook_id, tried_at);
