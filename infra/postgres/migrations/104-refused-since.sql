-- Since when the mail server says that nobody has the address: a mail is given up after an hour of that, however often it was tried before.
alter table app.outbox add column refused_since timestamptz;
