import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError, messageOf } from '../api/client.ts';
import { newId } from '../api/new-id.ts';
import { loggedOut } from '../frame/logged-out.ts';
import { complain, type Toast, toast } from '../ui/toast.tsx';

/**
 * A key for each change that is sent. The same again after an answer that got lost has the same key, so that it happens once.
 */
const useIdempotencyKeys = () => {
  const unanswered = useRef<{ readonly sent: string; readonly key: string }>(undefined);
  return {
    keyFor: (sent: unknown): string => {
      const text = JSON.stringify(sent);
      if (unanswered.current?.sent !== text) unanswered.current = { sent: text, key: newId() };
      return unanswered.current.key;
    },
    answered: (): void => {
      unanswered.current = undefined;
    },
  };
};

/** A change that a superuser makes: the call, what is stale after it, and what is said. */
export const useChange = <Sent, Answer>({
  send,
  stale,
  done,
  failed,
}: {
  send: (sent: Sent, idempotencyKey: string) => Promise<Answer>;
  /** The queries that show something else from now on, by the beginnings of their keys. */
  stale: readonly QueryKey[];
  done: (answer: Answer, sent: Sent) => Toast;
  /** The title of the toast where it failed; the server's words stand below. */
  failed: string;
}) => {
  const client = useQueryClient();
  const keys = useIdempotencyKeys();
  return useMutation({
    mutationFn: (sent: Sent) => send(sent, keys.keyFor(sent)),
    onSuccess: (answer, sent) => {
      keys.answered();
      for (const queryKey of stale) client.invalidateQueries({ queryKey });
      toast(done(answer, sent));
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status < 500) keys.answered();
      if (!loggedOut(error)) complain(failed, messageOf(error, 'Please try again.'));
    },
  });
};
