import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { type EnhanceProfileRequest, profileCalls } from '#domain/contracts/profile.ts';
import { askUntilKnown } from './ask-until.ts';
import { asSignedIn, tellOtherTabs, userChanged } from './auth.ts';
import { call, isUnauthorized } from './client.ts';
import { failureOf } from './failure.ts';
import { queryClient } from './queries.ts';

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
