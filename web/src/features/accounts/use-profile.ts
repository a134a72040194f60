import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { type EnhanceProfileRequest, profileCalls } from '#domain/contracts/profile.ts';
import { askUntilKnown } from '#web/lib/api/ask-until.ts';
import { ask, call, isUnauthorized } from '#web/lib/api/client.ts';
import { queryClient } from '#web/lib/api/query-client.ts';
import { saveFile } from '#web/lib/api/save-file.ts';
import { asSignedIn, tellOtherTabs, userChanged } from '#web/lib/api/session.ts';
import { failureOf } from '#web/lib/failure.ts';

export const useEnhanceProfile = () =>
  useMutation({
    mutationFn: (body: EnhanceProfileRequest) => asSignedIn(call(profileCalls.enhance, { body })),
    onSuccess: ({ user }) => {
      queryClient.setQueryData(['user'], user);
      return userChanged();
    },
  });

export const useDeletionQuote = () =>
  useQuery({
    queryKey: ['deletion-quote'],
    queryFn: ({ signal }) => asSignedIn(call(profileCalls.deletionQuote, { signal })),
    staleTime: 0,
    gcTime: 0,
  });

export const useErasureReceipt = (receipt: string | null) =>
  useQuery({
    queryKey: ['erasure-receipt', receipt],
    queryFn: ({ signal }) =>
      call(profileCalls.erasureReceipt, { params: { receipt: receipt ?? '' }, signal }),
    enabled: receipt !== null,
    refetchInterval: ({ state: { data } }) =>
      data && (!data.erasedAt || data.files === 'being-cleaned') ? 5_000 : false,
  });

/** The caller must call `sessionEnded` after leaving the page. */
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
        // The deletion ends the session, so a 401 after a lost answer means success.
        if (!(unsure.current && isUnauthorized(error))) throw error;
      }
    },
    onSuccess: tellOtherTabs,
  });
};

/** @throws ApiError, NoAnswer */
export const downloadOwnData = async (): Promise<string> => saveFile(await ask(profileCalls.export));
