-- Second factors of accounts: one authenticator app each, and codes for whoever has lost it.

create table app.second_factor (
  account_id uuid primary key,
  -- Sealed with the person's key, of that version.
  secret bytea not null,
  key_version integer not null,
  -- Null until a first code has shown that the app has the secret.
  confirmed_at timestamptz,
  -- The step of the last code that was taken: no code is taken twice.
  last_step bigint not null default 0
);

create table app.recovery_code (
  account_id uuid not null,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);

alter table app.session
  -- Whether the session was opened, or confirmed later, with a second factor.
  add column second_factor boolean not null default false;
