-- The integers that the API shows. Every start lifts them above what the log holds.
CREATE SEQUENCE app.listing_id AS bigint;
CREATE SEQUENCE app.booking_id AS bigint;
CREATE SEQUENCE app.city_id AS bigint;
CREATE SEQUENCE app.venue_id AS bigint;
CREATE SEQUENCE app.category_id AS bigint;
CREATE SEQUENCE app.promotion_id AS bigint;
CREATE SEQUENCE app.template_id AS bigint;
CREATE SEQUENCE app.image_id AS bigint;
CREATE SEQUENCE app.support_id AS bigint;

-- How far a log has been searched for ids, so that a start looks at what is new only.
CREATE TABLE app.sequence_lift (
  log_id text PRIMARY KEY,
  position text NOT NULL
);

-- States of long streams, sealed; any row may be deleted at any time.
CREATE TABLE app.snapshot (
  log_id text NOT NULL,
  stream text NOT NULL,
  fold_version integer NOT NULL,
  revision bigint NOT NULL,
  position text NOT NULL,
  state text NOT NULL,
  PRIMARY KEY (log_id, stream)
);
