alter table app.erasure
  -- What the person and we can both quote. It names nobody (infra/keys/erasure-receipt.ts).
  add column receipt text unique,
  -- How much of each kind there was when the erasure was asked for: numbers only.
  add column counts jsonb,
  -- Since when the files of the database hold nothing of it either.
  add column cleaned_at timestamptz;

-- PostgreSQL keeps samples of columns, which would outlive the keys.
alter table keys.subject_key alter column wrapped set statistics 0;
