import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { AnswerOf, Call, NamesIn, SentOf } from '#domain/contracts/call.ts';
import { forgetForm, keepUnanswered, keptUnanswered, type Unanswered } from '#web/lib/draft.ts';
import { failureOf, hasCode, isConflict } from '#web/lib/failure.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { newId } from '#web/lib/new-id.ts';
import { type Toast, toast, toastError } from '#web/lib/toast.ts';
import { call, type Request } from './client.ts';
import { keyOf } from './key-of.ts';
import { loggedOut } from './logged-out.ts';
import { useSession } from './session.ts';

/**
 * A change resent after a lost answer keeps its key, so it is carried out once.
 * @param name of the kept form, beside which the key survives the page; empty if none
 */
const useIdempotencyKeys = (name: string) => {
  const [before] = useState(() => (name ? keptUnanswered(name) : undefined));
  const unanswered = useRef(before);
  const remember = (now: Unanswered | undefined): void => {
    unanswered.current = now;
    if (name) keepUnanswered(name, now);
  };
  return {
    keyFor: (sent: unknown): string => {
      const text = JSON.stringify(sent) ?? '';
      const { key } = unanswered.current?.sent === text ? unanswered.current : { key: newId() };
      remember({ sent: text, key });
      return key;
    },
    answered: (): void => remember(undefined),
  };
};

const GONE = 'It is no longer there. Somebody may have deleted it.';

type Params<C extends Call> = [NamesIn<C['path']>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Readonly<Record<NamesIn<C['path']>, string | number>> };

export type Change<C extends Call> = Params<C> & {
  /** Calls (with all paths below theirs) or query keys. */
  readonly stale: readonly (Call | QueryKey)[];
  /** Keeps the input for the tab under this name until saved or discarded. Never for secrets. */
  readonly keptAs?: string;
  readonly done: (answer: AnswerOf<C>, sent: SentOf<C>) => Toast;
  readonly failed: string;
  readonly unsure?: string;
};

/** The returned `keptAs` includes the user's id. */
export const useChange = <C extends Call>(
  declared: C,
  { params, stale, keptAs, done, failed, unsure }: Change<C>,
) => {
  const client = useQueryClient();
  const { user } = useSession();
  const [name] = useState(keptAs && user ? `${user.id} ${keptAs}` : '');
  const keys = useIdempotencyKeys(name);
  const refetchStale = () => {
    for (const one of stale) client.invalidateQueries({ queryKey: 'path' in one ? keyOf(one) : one });
  };
  const mutation = useMutation({
    mutationFn: (body: SentOf<C>) =>
      call(declared, { params, body, idempotencyKey: keys.keyFor(body) } as unknown as Request<C>),
    onSuccess: (answer, sent) => {
      keys.answered();
      // Done here, because the form may have unmounted.
      if (name) forgetForm(name);
      refetchStale();
      toast(done(answer, sent));
    },
    onError: (error) => {
      const failure = failureOf(error);
      if (failure === 'refused') keys.answered();
      const isGone = hasCode(error, 'NOT_FOUND');
      if (failure === 'unknown' || isGone || isConflict(error)) refetchStale();
      if (!hasCode(error, 'CHANGED_MEANWHILE') && !loggedOut(error))
        toastError(failed, isGone ? GONE : sayFailure(error, unsure));
    },
  });
  return { ...mutation, keptAs: name };
};
