import { type AdminUser, adminUserCalls } from '#domain/contracts/admin-users.ts';
import { useCategoryName } from '../../api/catalogue.ts';
import { type Column, dated, email, instant, states } from '../../kit/columns.tsx';
import { List } from '../../kit/list.tsx';
import { RemoveDialog } from '../../kit/remove-dialog.tsx';
import { Face } from '../../ui/bar.tsx';
import { Row } from '../../ui/box.tsx';
import { day, moment } from '../../words/when.ts';
import { EditUser, HardDelete, nameOf, ResetSecondStep, ROLE_NAMES, SoftDelete } from './user-dialogs.tsx';

const columns = (categoryName: (slug: string) => string): readonly Column<AdminUser>[] => [
  {
    header: 'User',
    sort: 'name',
    card: 'head',
    cell: (user) => (
      <Row gap="$12">
        <Face imageUrl={user.profileImageUrl} initials={user.firstName.charAt(0).toUpperCase()} />
        <span>{nameOf(user)}</span>
      </Row>
    ),
  },
  { header: 'ID', cell: ({ id }) => <span title={id}>{id.slice(0, 8)}</span> },
  email('Email', (user) => user.email, { sort: 'email' }),
  { header: 'Role', sort: 'role', cell: ({ role }) => ROLE_NAMES[role] },
  states(
    'Status',
    ({ isActive, isDeleted, deletedAt, deletionReason }) =>
      isDeleted
        ? [
            {
              tone: 'bad',
              words: 'Soft Deleted',
              note: [deletedAt && moment(deletedAt), deletionReason].filter(Boolean).join(': '),
            },
          ]
        : [isActive ? { tone: 'good', words: 'Active' } : { tone: 'warn', words: 'Inactive' }],
    { card: 'corner' },
  ),
  dated('Born', ({ dateOfBirth }) => (dateOfBirth ? day(dateOfBirth) : 'Not provided')),
  {
    header: 'Favourites',
    cell: ({ preferences: { favoriteCategories: slugs } }) =>
      slugs.length > 0 ? slugs.map(categoryName).join(', ') : 'No preferences',
  },
  instant('Joined', ({ createdAt }) => createdAt, { sort: 'joined' }),
];

/** The users tab: everybody's accounts, and what superusers may do with them. */
export const Tab = () => {
  const categoryName = useCategoryName();
  return (
    <List
      call={adminUserCalls.list}
      exportCall={adminUserCalls.exportCsv}
      title="Users"
      noun="users"
      empty={{ title: 'No users found' }}
      columns={columns(categoryName)}
      perPage={25}
      search="Search by name or email"
      filters={[
        { name: 'role', label: 'Role', all: 'All roles', options: ROLE_NAMES },
        {
          name: 'status',
          label: 'Status',
          all: 'All statuses',
          options: { active: 'Active', inactive: 'Inactive' },
        },
        { name: 'includeDeleted', label: 'Show deleted users', on: 'true' },
      ]}
      actions={(user) => {
        const name = nameOf(user);
        const hardDelete = {
          words: 'Hard delete',
          label: `Hard delete ${name}`,
          open: (onClose: () => void) => <HardDelete {...{ user, onClose }} />,
        };
        const resetSecondStep = {
          words: 'Reset second step',
          label: `Reset second step of ${name}`,
          open: (onClose: () => void) => <ResetSecondStep {...{ user, onClose }} />,
        };
        if (!user.isDeleted)
          return [
            {
              words: 'Edit',
              label: `Edit ${name}`,
              open: (onClose) => <EditUser {...{ user, onClose }} />,
            },
            ...(user.secondFactor ? [resetSecondStep] : []),
            {
              words: 'Soft delete',
              label: `Soft delete ${name}`,
              open: (onClose) => <SoftDelete {...{ user, onClose }} />,
            },
            hardDelete,
          ];
        return [
          {
            words: 'Restore',
            label: `Restore ${name}`,
            open: (onClose) => (
              <RemoveDialog
                call={adminUserCalls.restore}
                change={{
                  params: { id: user.id },
                  stale: [adminUserCalls.list],
                  done: () => ({ title: 'User Restored', description: `${name} can sign in again.` }),
                  failed: 'Failed to restore user',
                }}
                title={`Restore ${name}?`}
                confirm="Restore"
                refuse="Leave it deleted"
                busyText="Restoring..."
                onClose={onClose}
              >
                The account becomes active again, with everything that it had.
              </RemoveDialog>
            ),
          },
          hardDelete,
        ];
      }}
    />
  );
};
