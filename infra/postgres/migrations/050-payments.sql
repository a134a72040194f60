-- Work to be done outside a request: once per event and kind, at its due time, by any process.
create table app.job (
  id text primary key,
  kind text not null,
  -- What it is about (an attempt, a booking): what a settled purchase no longer needs is dropped by it.
  subject text not null,
  payload jsonb not null,
  due_at timestamptz not null,
  tries integer not null default 0,
  -- Whoever works on it renews this, on the database's clock; when it has passed, anybody may take over.
  leased_until timestamptz,
  lease uuid,
  last_error text,
  created_at timestamptz not null default now()
);
create index job_due on app.job (due_at);
create index job_subject on app.job (kind, subject);

-- How far the log has been turned into jobs, and who is at it. Moved in the transaction that makes the jobs.
create table app.job_checkpoint (
  name text primary key,
  log_id text not null,
  position text not null,
  holder uuid,
  leased_until timestamptz
);

-- What the payment provider told us, by its own id. No body is kept: the thing is fetched anew.
create table app.webhook (
  id text primary key,
  type text not null,
  object_id text,
  received_at timestamptz not null default now()
);

-- The payment sandbox: one account, its intents and refunds, replies kept by idempotency key, and webhooks to deliver.
create table app.sandbox_account (
  only_one boolean primary key default true check (only_one),
  secret_key text not null,
  publishable_key text not null,
  webhook_secret text not null
);

create table app.sandbox_intent (
  id text primary key,
  seq bigint generated always as identity,
  client_secret text not null,
  amount integer not null,
  currency text not null,
  status text not null,
  metadata jsonb not null,
  -- The last four digits and the behaviour of the card that paid or was tried, never a number.
  card jsonb,
  error jsonb,
  next_action jsonb,
  refunded integer not null default 0,
  cancellation_reason text,
  canceled_at timestamptz,
  created_at timestamptz not null default now()
);
create index sandbox_intent_newest on app.sandbox_intent (seq desc);
create index sandbox_intent_attempt on app.sandbox_intent ((metadata->>'attempt'));

create table app.sandbox_refund (
  id text primary key,
  seq bigint generated always as identity,
  intent_id text not null references app.sandbox_intent (id),
  amount integer not null,
  status text not null,
  metadata jsonb not null,
  failure_reason text,
  -- When it turns into what it will be, for cards whose refunds do so later.
  settles_at timestamptz,
  settles_as text,
  created_at timestamptz not null default now()
);
create index sandbox_refund_intent on app.sandbox_refund (intent_id);
create index sandbox_refund_settling on app.sandbox_refund (settles_at) where settles_at is not null;

create table app.sandbox_reply (
  key text primary key,
  request text not null,
  status integer not null,
  body jsonb not null,
  created_at timestamptz not null default now()
);
create index sandbox_reply_age on app.sandbox_reply (created_at);

create table app.sandbox_webhook (
  id text primary key,
  body text not null,
  due_at timestamptz not null default now(),
  tries integer not null default 0
);
create index sandbox_webhook_due on app.sandbox_webhook (due_at);

-- Which bookings an account has, fed by the reactors in the transaction of their checkpoint: complete up to it.
-- Whoever decides looks into each booking's own stream.
create table app.account_booking (
  account_id text not null,
  booking_id bigint not null,
  primary key (account_id, booking_id)
);
