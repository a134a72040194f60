-- What was done once for this database, such as bringing in the demo.
create table app.mark (
  name text primary key,
  at timestamptz not null default now()
);
