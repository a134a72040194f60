import type { Kysely } from 'kysely';
import type { UserParts } from '#domain/answers/accounts.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';

export const accounts = (db: Kysely<ReadModels>) =>
  db.selectFrom('account as a').innerJoin('person as p', 'p.account_id', 'a.id').selectAll();

export const presentAccounts = (db: Kysely<ReadModels>) =>
  db.selectFrom('account as a').where('a.deleted_at', 'is', null).where('a.erased_at', 'is', null);

export const findAccount = (db: Kysely<ReadModels>, accountId: string) =>
  accounts(db).where('a.id', '=', accountId).executeTakeFirst();

export type AccountWithPerson = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

export const userParts = (row: AccountWithPerson): UserParts => ({
  accountId: row.id,
  registeredAt: row.registered_at,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  role: row.role,
  dateOfBirth: row.date_of_birth,
  verified: row.email_verified,
  profileImageUrl: row.profile_image_url,
  favoriteCategories: row.favorite_categories,
  password: row.password_set,
  google: row.google_linked,
});
