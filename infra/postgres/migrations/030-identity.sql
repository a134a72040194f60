-- Sessions, credentials, links in mails and the limits that guard them. None of this is ever an event.

create table app.session (
  token_hash bytea primary key,
  id uuid not null unique,
  account_id uuid not null,
  role text not null,
  email_verified boolean not null,
  profile_complete boolean not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  ends_at timestamptz not null,
  -- The role changed: the next request with it is given a new token.
  rotate boolean not null default false
);
create index session_account on app.session (account_id);
create index session_end on app.session (ends_at);

create table app.credential (
  account_id uuid primary key,
  password_hash text not null,
  changed_at timestamptz not null
);

create table app.federated_identity (
  issuer text not null,
  subject text not null,
  account_id uuid not null,
  linked_at timestamptz not null,
  primary key (issuer, subject)
);
create index federated_identity_account on app.federated_identity (account_id);

create table app.mail_token (
  token_hash bytea primary key,
  kind text not null,
  account_id uuid not null,
  ends_at timestamptz not null
);
create index mail_token_account on app.mail_token (account_id, kind);
create index mail_token_end on app.mail_token (ends_at);

create table app.rate_limit (
  name text not null,
  key bytea not null,
  count integer not null,
  until timestamptz not null,
  primary key (name, key)
);
create index rate_limit_end on app.rate_limit (until);
