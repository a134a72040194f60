import { useRef } from 'react';
import { profileCalls } from '#domain/contracts/profile.ts';
import { askUntilKnown } from '#web/lib/api/ask-until.ts';
import { ask, isUnauthorized } from '#web/lib/api/client.ts';
import { queryClient } from '#web/lib/api/query-client.ts';
import { saveFile } from '#web/lib/api/save-file.ts';
import { asSignedIn, tellOtherTabs, USER, userChanged } from '#web/lib/api/session.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { failureOf } from '#web/lib/failure.ts';

export const useEnhanceProfile = () =>
  useChange(profileCalls.enhance, {
    until: (send) => asSignedIn(send()),
    after: ({ user }) => {
      queryClient.setQueryData(USER, user);
      return userChanged();
    },
  });

export const useDeletionQuote = () =>
  useAnswer(profileCalls.deletionQuote, undefined, {
    read: (answer) => asSignedIn(answer),
    staleTime: 0,
    gcTime: 0,
  });

export const useErasureReceipt = (receipt: string | null) =>
  useAnswer(
    profileCalls.erasureReceipt,
    { params: { receipt: receipt ?? '' } },
    {
      refetchOnMount: true,
      enabled: receipt !== null,
      refetchInterval: ({ state: { data } }) =>
        data && (!data.erasedAt || data.files === 'being-cleaned') ? 5_000 : false,
    },
  );

/** The caller must call `sessionEnded` after leaving the page. */
export const useDeleteProfile = () => {
  const unsure = useRef(false);
  return useChange(profileCalls.delete, {
    until: (send) =>
      askUntilKnown<unknown>(() =>
        send().catch((error: unknown) => {
          unsure.current ||= failureOf(error) === 'unknown';
          throw error;
        }),
      ).catch((error: unknown) => {
        // The deletion ends the session, so a 401 after a lost answer means success.
        if (!(unsure.current && isUnauthorized(error))) throw error;
      }),
    after: tellOtherTabs,
  });
};

/** @throws ApiError, NoAnswer */
export const downloadOwnData = async (): Promise<string> => saveFile(await ask(profileCalls.export));
