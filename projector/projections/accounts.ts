import { type AccountEvent, accountEvents } from '#domain/account/events.ts';
import { typesOf } from '#domain/kernel/event.ts';
import { isErased, orElse } from '#domain/kernel/personal.ts';
import type { RowOf } from '#infra/read-models/table.ts';
import { accountTable, personTable } from '#infra/read-models/tables.ts';
import {
  type Applied,
  type DeclaredProjection,
  expectRow,
  type Projected,
  sealedText,
} from '#projector/engine/projection.ts';

type AccountRow = RowOf<typeof accountTable>;

const change = (row: AccountRow, applied: Applied<AccountEvent>): AccountRow => {
  const { event, meta } = applied;
  switch (event.type) {
    case 'EmailVerified':
      return { ...row, email_verified: true };
    case 'ProfileCompleted':
      return { ...row, profile_completed: true };
    case 'GoogleLinked':
      return { ...row, google_linked: true };
    case 'RoleChanged':
      return { ...row, role: event.data.role };
    case 'AccountDeactivated':
      return { ...row, is_active: false };
    case 'AccountActivated':
      return { ...row, is_active: true };
    case 'AccountSoftDeleted':
      return { ...row, deleted_at: meta.at, deletion_reason: sealedText(applied, 'reason') };
    case 'AccountRestored':
      return { ...row, is_active: true, deleted_at: null, deletion_reason: null };
    case 'AccountErased':
      return { ...row, is_active: false, deletion_reason: null, erased_at: meta.at };
    case 'PasswordChanged':
      return { ...row, password_set: true };
    case 'PasswordRemoved':
      return { ...row, password_set: false };
    case 'SecondFactorEnrolled':
      return { ...row, second_factor: true };
    case 'SecondFactorRemoved':
    case 'SecondFactorReset':
      return { ...row, second_factor: false };
    case 'AccountRegistered':
    case 'RecoveryCodesRenewed':
      return row;
  }
};

const accountRows: Projected<typeof accountTable, AccountEvent> = {
  table: accountTable,
  types: typesOf(accountEvents),
  keys: ({ event }) => [event.data.accountId],
  fold: (row, applied) => {
    const { event, meta } = applied;
    if (event.type !== 'AccountRegistered') return change(expectRow(row, applied), applied);
    const { accountId, role, via } = event.data;
    return {
      id: accountId,
      role,
      via,
      password_set: via === 'password',
      google_linked: via === 'google',
      email_verified: false,
      profile_completed: false,
      second_factor: false,
      is_active: true,
      deleted_at: null,
      deletion_reason: null,
      erased_at: null,
      registered_at: meta.at,
    };
  },
};

/** Erased persons have no row; a rebuild reads erased values and creates none. */
const personRows: Projected<typeof personTable, AccountEvent> = {
  table: personTable,
  types: typesOf(accountEvents),
  keys: ({ event }) => [event.data.accountId],
  fold: (row, { event }) => {
    switch (event.type) {
      case 'AccountErased':
        return undefined;
      case 'AccountRegistered': {
        const { accountId, email, firstName, lastName, profileImageUrl } = event.data;
        if (isErased(email)) return undefined;
        return {
          account_id: accountId,
          email,
          first_name: orElse(firstName, ''),
          last_name: orElse(lastName, null),
          date_of_birth: null,
          favorite_categories: [],
          profile_image_url: orElse(profileImageUrl, null),
        };
      }
      case 'ProfileCompleted': {
        const { dateOfBirth, favoriteCategories } = event.data;
        if (row === undefined || isErased(dateOfBirth)) return undefined;
        return {
          ...row,
          date_of_birth: dateOfBirth,
          favorite_categories: orElse(favoriteCategories, []),
        };
      }
      case 'EmailVerified':
      case 'PasswordChanged':
      case 'PasswordRemoved':
      case 'GoogleLinked':
      case 'SecondFactorEnrolled':
      case 'SecondFactorRemoved':
      case 'SecondFactorReset':
      case 'RecoveryCodesRenewed':
      case 'RoleChanged':
      case 'AccountDeactivated':
      case 'AccountActivated':
      case 'AccountSoftDeleted':
      case 'AccountRestored':
        return row;
      default:
        return event satisfies never;
    }
  },
};

export const accounts: DeclaredProjection = { name: 'accounts', fold: 1, tables: [accountRows, personRows] };
