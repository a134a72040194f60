-- What superusers ask of the projector: rebuilds, switches, parked events tried again. A projector takes what waits.
CREATE TABLE app.projection_work (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('check', 'build', 'switch', 'replace', 'switch-back', 'retry-parked')),
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked_by text NOT NULL,
  started_at timestamptz,
  -- Written while it runs; work that has not told anything for long was cut off.
  told_at timestamptz,
  ended_at timestamptz,
  phase text,
  events bigint,
  seconds double precision,
  fraction double precision,
  -- In words; of work that failed, why.
  outcome text,
  failed boolean NOT NULL DEFAULT false
);
-- One at a time: whoever asks meanwhile is told so.
CREATE UNIQUE INDEX ON app.projection_work ((true)) WHERE ended_at IS NULL;
