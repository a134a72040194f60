create table app.sandbox_dispute (
  id text primary key,
  seq bigint generated always as identity,
  intent_id text not null references app.sandbox_intent (id),
  amount integer not null,
  status text not null,
  created_at timestamptz not null default now()
);
create index sandbox_dispute_intent on app.sandbox_dispute (intent_id);
