import { type AdminUser, adminUserCalls } from '#domain/contracts/admin-users.ts';
import { useCategoryName } from '#web/lib/api/catalogue.ts';
import { firstLetter } from '#web/lib/formatters/first-letter.ts';
import { day, moment } from '#web/lib/formatters/when.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Row } from '#web/ui/box.tsx';
import { activity, type Column, email, instant, states } from '#web/ui/list/columns.tsx';
import { byStatus, List } from '#web/ui/list/list.tsx';
import {
  EditUser,
  HardDelete,
  nameOf,
  ResetSecondStep,
  RestoreUser,
  ROLE_NAMES,
  SoftDelete,
} from './user-dialogs.tsx';

const stateOf = ({ isActive, isDeleted, deletedAt, deletionReason }: AdminUser) => {
  if (!isDeleted) return isActive ? activity(true) : ({ tone: 'warn', words: 'Inactive' } as const);
  const note = [deletedAt && moment(deletedAt), deletionReason].filter(Boolean).join(': ');
  return { tone: 'bad', words: 'Soft Deleted', note } as const;
};

const unverified = { tone: 'warn', words: 'Not verified' } as const;

const columns = (categoryName: (slug: string) => string): readonly Column<AdminUser>[] => [
  {
    header: 'User',
    sort: 'name',
    card: 'head',
    cell: (user) => (
      <Row gap="$12">
        <Avatar imageUrl={user.profileImageUrl} initials={firstLetter(user.firstName)} />
        <span>{nameOf(user)}</span>
      </Row>
    ),
  },
  { header: 'ID', cell: ({ id }) => <span title={id}>{id.slice(0, 8)}</span> },
  email('Email', (user) => user.email, { sort: 'email' }),
  { header: 'Role', sort: 'role', cell: ({ role }) => ROLE_NAMES[role] },
  states('Status', (user) => [stateOf(user), ...(user.emailVerified ? [] : [unverified])], {
    card: 'corner',
  }),
  // A date of birth needs no weekday.
  {
    header: 'Born',
    cell: ({ dateOfBirth }) =>
      dateOfBirth ? (
        <span className="one-line">{day(dateOfBirth).replace(/^\w+ /, '')}</span>
      ) : (
        'Not provided'
      ),
  },
  {
    header: 'Favourites',
    cell: ({ preferences: { favoriteCategories: slugs } }) =>
      slugs.length > 0 ? slugs.map(categoryName).join(', ') : 'No preferences',
  },
  instant('Joined', ({ createdAt }) => createdAt, { sort: 'joined' }),
];

export const Tab = () => {
  const categoryName = useCategoryName();
  return (
    <List
      call={adminUserCalls.list}
      exportCall={adminUserCalls.exportCsv}
      title="Users"
      empty={{ title: 'No users found' }}
      columns={columns(categoryName)}
      search="Search by name or email"
      filters={[
        { name: 'role', label: 'Role', all: 'All roles', options: ROLE_NAMES },
        byStatus({ active: 'Active', inactive: 'Inactive' }),
        { name: 'includeDeleted', label: 'Show deleted users', on: 'true' },
      ]}
      nameOf={nameOf}
      actions={(user) => {
        const open = (Dialog: typeof EditUser) => (onClose: () => void) => <Dialog {...{ user, onClose }} />;
        const hardDelete = { words: 'Hard delete', open: open(HardDelete) };
        if (user.isDeleted) return [{ words: 'Restore', open: open(RestoreUser) }, hardDelete];
        const label = `Reset second step of ${nameOf(user)}`;
        return [
          { words: 'Edit', open: open(EditUser) },
          ...(user.secondFactor ? [{ words: 'Reset second step', label, open: open(ResetSecondStep) }] : []),
          { words: 'Soft delete', open: open(SoftDelete) },
          hardDelete,
        ];
      }}
    />
  );
};
