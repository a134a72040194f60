import { useMutation, useQuery } from '@tanstack/react-query';
import { type EnhanceProfileRequest, profileCalls } from '#domain/contracts/profile.ts';
import { asSignedIn, tellOtherTabs, userChanged } from './auth.ts';
import { call } from './client.ts';
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
export const useDeleteProfile = () =>
  useMutation({
    mutationFn: (password: string | undefined) => call(profileCalls.delete, { body: { password } }),
    onSuccess: tellOtherTabs,
  });
