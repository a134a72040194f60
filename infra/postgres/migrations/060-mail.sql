create table app.outbox (
  id bigint generated always as identity primary key,
  key text not null unique,
  kind text not null,
  account_id text not null,
  -- ids and secret links only; wiped once sent
  data jsonb,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  sent_at timestamptz,
  -- why it was given up, where it was: shown to operators
  given_up text,
  last_error text
);
create index outbox_due on app.outbox (due_at) where sent_at is null and given_up is null;
create index outbox_account on app.outbox (account_id) where sent_at is null;
