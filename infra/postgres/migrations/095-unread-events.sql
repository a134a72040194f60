-- Events from which no work has been made, since no process could read them: shown to operators, and read again by each process that
-- takes over.
create table app.unread_event (
  position text primary key,
  stream text not null,
  revision integer not null,
  type text not null,
  error text not null,
  met_at timestamptz not null default now()
);
