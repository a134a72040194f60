-- What the list of an account's sessions shows. `sign_in` stays the same when a session's token is replaced.
alter table app.session
  add column device text not null default 'Unknown device',
  add column sign_in uuid not null default gen_random_uuid();
