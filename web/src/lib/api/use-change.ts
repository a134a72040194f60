import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { AnswerOf, Call, NamesIn, SentOf } from '#domain/contracts/call.ts';
import { forgetDraft, keepUnanswered, keptUnanswered, type Unanswered } from '#web/lib/draft.ts';
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

export type Change<C extends Call, Read = AnswerOf<C>> = Params<C> & {
  readonly query?: Request<C>['query'];
  /** Calls (with all paths below theirs) or query keys. */
  readonly stale?: readonly (Call | QueryKey)[];
  /** Keeps the input for the tab under this name until saved or discarded. Never for secrets. */
  readonly draft?: string;
  /** Default: one key for each input, until its outcome is known. */
  readonly idempotencyKey?: string;
  /** Repeats `send`, or makes something of its answer. Each repeat has the same idempotency key. */
  readonly until?: (send: () => Promise<AnswerOf<C>>) => Promise<Read>;
  readonly after?: (answer: Read) => unknown;
  readonly done?: (answer: Read, sent: SentOf<C>) => Toast;
  /** Title of the toast. Without it the caller shows failures itself. */
  readonly failed?: string;
  readonly unsure?: string;
};

/** The returned `draft` includes the user's id. */
export const useChange = <C extends Call, Read = AnswerOf<C>>(
  declared: C,
  { params, query, stale = [], draft, until, after, done, failed, unsure, ...change }: Change<C, Read>,
) => {
  const client = useQueryClient();
  const { user } = useSession();
  const [name] = useState(draft && user ? `${user.id} ${draft}` : '');
  const keys = useIdempotencyKeys(name);
  const refetchStale = () => {
    for (const one of stale) client.invalidateQueries({ queryKey: 'path' in one ? keyOf(one) : one });
  };
  const mutation = useMutation({
    mutationFn: (body: SentOf<C>): Promise<Read> => {
      const { idempotencyKey = keys.keyFor(body) } = change;
      const send = () => call(declared, { params, query, body, idempotencyKey } as unknown as Request<C>);
      return until ? until(send) : (send() as Promise<never>);
    },
    onSuccess: (answer, sent) => {
      keys.answered();
      // Done here, because the form may have unmounted.
      if (name) forgetDraft(name);
      refetchStale();
      if (done) toast(done(answer, sent));
      return after?.(answer);
    },
    onError: (error) => {
      const failure = failureOf(error);
      if (failure === 'refused') keys.answered();
      if (!failed) return;
      const isGone = hasCode(error, 'NOT_FOUND');
      if (failure === 'unknown' || isGone || isConflict(error)) refetchStale();
      if (!hasCode(error, 'CHANGED_MEANWHILE') && !loggedOut(error))
        toastError(failed, isGone ? GONE : sayFailure(error, unsure));
    },
  });
  return { ...mutation, draft: name };
};
