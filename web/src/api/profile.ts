import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { type EnhanceProfileRequest, profileCalls } from '#domain/contracts/profile.ts';
import { askUntilKnown } from './ask-until.ts';
import { asSignedIn, tellOtherTabs, userChanged } from './auth.ts';
import { ask, call, isUnauthorized } from './client.ts';
import { failureOf } from './failure.ts';
import { queryClient } from './queries.ts';
import { saveFile } from './save-file.ts';

/** Completes the profile: date of birth and favourite categories. */
export const useEnhanceProfile = () =>
  useMutation({
    mutationFn: (body: EnhanceProfileRequest) => asSignedIn(call(profileCalls.enhance, { body })),
    onSuccess: ({ user }) => {
      queryClient.setQueryData(['user'], user);
      return userChanged();
    },
  });

/** What deleting the account would cancel and pay back. */
export const useDeletionQuote = () =>
  useQuery({
    queryKey: ['deletion-quote'],
    queryFn: ({ signal }) => asSignedIn(call(profileCalls.deletionQuote, { signal })),
    staleTime: 0,
    gcTime: 0,
  });

/** The receipt of a deletion. It is asked for again until nothing is left to be done by itself. */
export const useErasureReceipt = (receipt: string | null) =>
  useQuery({
    queryKey: ['erasure-receipt', receipt],
    queryFn: ({ signal }) =>
      call(profileCalls.erasureReceipt, { params: { receipt: receipt ?? '' }, signal }),
    enabled: receipt !== null,
    refetchInterval: ({ state: { data } }) =>
      data && (!data.erasedAt || data.files === 'being-cleaned') ? 5_000 : false,
  });

/** What is known of the person here is to be forgotten once their page has been left (`sessionEnded`). */
export const useDeleteProfile = () => {
  const unsure = useRef(false);
  return useMutation({
    mutationFn: async (password: string | undefined) => {
      try {
        await askUntilKnown(() =>
          call(profileCalls.delete, { body: { password } }).catch((error: unknown) => {
            unsure.current ||= failureOf(error) === 'unknown';
            throw error;
          }),
        );
      } catch (error) {
        // The deletion has ended the session, so the repeat of one whose answer was lost is refused.
        if (!(unsure.current && isUnauthorized(error))) throw error;
      }
    },
    onSuccess: tellOtherTabs,
  });
};

/** Saves all that is held on the person as a file. Resolves to its name. @throws ApiError, NoAnswer */
export const downloadOwnData = async (): Promise<string> => saveFile(await ask(profileCalls.export));
