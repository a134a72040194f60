-- Subject keys are backed up apart from everything else, so they have a schema of their own.
-- (`log` is made by the event log's adapter, `read*` by the projector.)
CREATE SCHEMA IF NOT EXISTS keys;
