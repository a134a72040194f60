import { useEffect, useId, useRef, useState } from 'react';
import type { User } from '#domain/contracts/auth.ts';
import { keepsDoor } from '#web/features/door/offline/kept-door.ts';
import { firstLetter } from '#web/lib/formatters/first-letter.ts';
import { mayAdminister, mayAudit, mayScan } from '#web/lib/roles.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { AvatarButton, Menu, MenuButton, MenuLink } from '#web/ui/bar.tsx';
import { Box } from '#web/ui/box.tsx';
import { logOut } from './log-out.ts';

const initialsOf = (user: User) =>
  firstLetter(user.firstName) + firstLetter(user.lastName ?? '') || firstLetter(user.email);

/** Scanner devices first send queued scans and wipe offline data, whatever the current role: it may have changed since. */
const leave = async ({ role }: User): Promise<void> => {
  if (!mayScan(role) && !(await keepsDoor())) return signOut();
  const door = await import('#web/features/door/offline/offline-door.ts').catch(() => undefined);
  if (!door) {
    toast({
      title: 'You are still signed in',
      description: 'This page is older than the site, or there is no network. Reload it, then log out again.',
      variant: 'destructive',
      action: { label: 'Reload', run: () => location.reload() },
    });
    return;
  }
  if (await door.handOver(signOut)) return;
  toast({
    title: 'Scans wait to be sent',
    description: 'They were made without a network and would be lost. Please try again once there is one.',
    variant: 'destructive',
    action: { label: 'Lose them', run: () => door.leave(signOut) },
  });
};

const signOut = async (): Promise<void> => {
  const outcome = await logOut();
  if (outcome === 'still in')
    toastError('You are still signed in', 'The site did not answer. Please try again.');
  if (outcome === 'unknown')
    toastError('You may still be signed in', 'The site did not answer. Please try again before you leave.');
};

export const AccountMenu = ({ user }: { user: User }) => {
  const [open, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    const elsewhere = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('keydown', pressed);
    document.addEventListener('pointerdown', elsewhere);
    document.addEventListener('focusin', elsewhere);
    return () => {
      document.removeEventListener('keydown', pressed);
      document.removeEventListener('pointerdown', elsewhere);
      document.removeEventListener('focusin', elsewhere);
    };
  }, [open]);
  const close = () => setOpen(false);
  return (
    <Box ref={root} position="relative" flexShrink={0}>
      <AvatarButton
        ref={button}
        label={`${initialsOf(user)}, account of ${user.firstName}`}
        initials={initialsOf(user)}
        imageUrl={user.profileImageUrl}
        aria-expanded={open}
        aria-controls={id}
        // A double click must not close it again.
        onClick={({ detail }) => detail < 2 && setOpen(!open)}
      />
      {open ? (
        <Menu id={id}>
          <MenuLink to="/profile" onClick={close}>
            Profile
          </MenuLink>
          <MenuLink to="/profile" onClick={close}>
            My Bookings
          </MenuLink>
          <MenuLink to="/profile/security" onClick={close}>
            Security
          </MenuLink>
          {mayAdminister(user.role) ? (
            <MenuLink to="/admin" onClick={close}>
              Admin Panel
            </MenuLink>
          ) : null}
          {mayScan(user.role) ? (
            <MenuLink to="/scanner" onClick={close}>
              Scanner
            </MenuLink>
          ) : null}
          {mayAudit(user.role) ? (
            <MenuLink to="/audit" onClick={close}>
              Audit
            </MenuLink>
          ) : null}
          <MenuButton onClick={() => leave(user)}>Log out</MenuButton>
        </Menu>
      ) : null}
    </Box>
  );
};
