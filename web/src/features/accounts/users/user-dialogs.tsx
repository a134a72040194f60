import type { Role } from '#domain/account/events.ts';
import {
  type AdminUser,
  adminUserCalls,
  editUserRequest,
  softDeleteRequest,
} from '#domain/contracts/admin-users.ts';
import { securityCalls } from '#domain/contracts/security.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { type Checked, check } from '#web/lib/formatters/form.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { toastError } from '#web/lib/toast.ts';
import { Check, Field, Select, TextArea } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';
import { RemoveDialog } from '#web/ui/form/remove-dialog.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { Text } from '#web/ui/text.tsx';

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  user: 'User',
  staff: 'Staff',
  auditor: 'Auditor',
  admin: 'Admin',
  superuser: 'Superuser',
};

export const nameOf = ({ firstName, lastName }: Pick<AdminUser, 'firstName' | 'lastName'>): string =>
  [firstName, lastName].filter(Boolean).join(' ');

interface Props {
  readonly user: AdminUser;
  readonly onClose: () => void;
}

const stale = [adminUserCalls.list];

const formOf = ({ role, isActive, revision }: Pick<AdminUser, 'role' | 'isActive' | 'revision'>) => ({
  ...{ role: role as string, isActive, revision },
});

export const EditUser = ({ user, onClose }: Props) => {
  const { id } = user;
  const change = useChange(adminUserCalls.edit, {
    params: { id },
    draft: `user ${user.id}`,
    stale,
    done: () => ({ title: 'User updated', description: nameOf(user) }),
    failed: 'Failed to update user',
  });
  return (
    <FormDialog
      title={`Edit ${nameOf(user)}`}
      blank={formOf(user)}
      reopen={formOf}
      check={(form) => check(editUserRequest, form)}
      submit="Save"
      busyText="Saving..."
      {...{ change, onClose }}
    >
      {({ form, field, change: set }) => (
        <>
          <Select
            label="Role"
            options={Object.entries(ROLE_NAMES).map(([value, label]) => ({ value, label }))}
            {...field('role')}
          />
          <Check
            label="Active: they can sign in"
            checked={form.isActive}
            onChange={({ target }) => set({ isActive: target.checked })}
          />
        </>
      )}
    </FormDialog>
  );
};

export const SoftDelete = ({ user, onClose }: Props) => {
  const change = useChange(adminUserCalls.softDelete, {
    params: { id: user.id },
    draft: `soft delete ${user.id}`,
    stale,
    done: () => ({ title: 'User deleted', description: `${nameOf(user)} can be restored.` }),
    failed: 'Failed to soft delete user',
  });
  return (
    <FormDialog
      title={`Soft delete ${nameOf(user)}?`}
      blank={{ reason: '' }}
      check={(form) => check(softDeleteRequest, form)}
      submit="Soft delete"
      busyText="Deleting..."
      danger
      {...{ change, onClose }}
    >
      {({ field }) => (
        <>
          <Text tone="dim">
            They are signed out and can’t sign in. Their data and tickets stay, and the account can be
            restored.
          </Text>
          <TextArea label="Reason" optional maxLength={1000} {...field('reason')} />
        </>
      )}
    </FormDialog>
  );
};

export const RestoreUser = ({ user, onClose }: Props) => (
  <RemoveDialog
    call={adminUserCalls.restore}
    change={{
      params: { id: user.id },
      stale,
      done: () => ({ title: 'User Restored', description: `${nameOf(user)} can sign in again.` }),
      failed: 'Failed to restore user',
    }}
    title={`Restore ${nameOf(user)}?`}
    confirm="Restore"
    refuse="Leave it deleted"
    busyText="Restoring..."
    onClose={onClose}
  >
    The account becomes active again, with everything that it had.
  </RemoveDialog>
);

export const ResetSecondStep = ({ user, onClose }: Props) => (
  <RemoveDialog
    call={securityCalls.resetSecondFactor}
    change={{
      params: { id: user.id },
      stale,
      done: ({ message }) => ({ title: 'Second step reset', description: message }),
      failed: 'Failed to reset the second step',
    }}
    title={`Reset the second step of ${nameOf(user)}?`}
    confirm="Reset"
    refuse="Leave it"
    busyText="Resetting..."
    onClose={onClose}
  >
    For somebody who lost phone and recovery codes: be sure that it is they who ask. They are signed out
    everywhere, and sign in without a code until they set it up again. They get a mail.
  </RemoveDialog>
);

const CONFIRMATION = 'CONFIRM DELETE';

const checkConfirmation = ({ typed }: { typed: string }): Checked<{ confirmPermanent: true }> => {
  if (typed === CONFIRMATION) return { ok: true, value: { confirmPermanent: true } };
  toastError('Deletion Cancelled', `Must type '${CONFIRMATION}' exactly to proceed`);
  // The toast and the label already give the message.
  return { ok: false, problems: { typed: '' } };
};

export const HardDelete = ({ user, onClose }: Props) => {
  const {
    data: quote,
    error,
    refetch,
  } = useAnswer(adminUserCalls.deletionQuote, { params: { id: user.id } });
  const ahead = quote && (quote.bookings === 1 ? '1 booking lies' : `${quote.bookings} bookings lie`);
  const change = useChange(adminUserCalls.hardDelete, {
    params: { id: user.id },
    stale,
    done: ({ pending }) => {
      const receipt = quote ? ` Receipt ${quote.receipt}.` : '';
      return pending
        ? {
            title: 'Account closed',
            description: `It is deleted once the last mails to its owner are sent.${receipt}`,
          }
        : { title: 'User permanently deleted', description: `Nothing names them any more.${receipt}` };
    },
    failed: 'Failed to permanently delete user',
  });
  return (
    <FormDialog
      title={`Permanently delete ${nameOf(user)}?`}
      blank={{ typed: '' }}
      check={checkConfirmation}
      submit="Delete for good"
      busyText="Deleting..."
      danger
      waits={!quote}
      {...{ change, onClose }}
    >
      {({ field }) => (
        <>
          <Text tone="dim">
            All their data is removed and can’t be brought back. They are told by email before.
          </Text>
          {quote ? (
            <Text>
              {`${ahead} ahead${quote.bookings > 0 ? `, to be cancelled: ${pounds(quote.refundTotal)} is paid back` : ''}.`}
            </Text>
          ) : error ? (
            <NotLoaded what="Their bookings" {...{ error, refetch }} />
          ) : (
            <Text>Counting their bookings...</Text>
          )}
          <Field label={`Type ${CONFIRMATION} to go on`} autoComplete="off" {...field('typed')} />
        </>
      )}
    </FormDialog>
  );
};
