import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { EnhanceProfileRequest } from '#domain/contracts/profile.ts';
import { call } from './client.ts';

export const useEnhanceProfile = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: EnhanceProfileRequest) => call('PATCH /api/profile/enhance', { body }),
    onSuccess: async ({ user }) => {
      client.setQueryData(['user'], user);
      await client.invalidateQueries({ queryKey: ['user'] });
    },
  });
};

/** What deleting the account would cancel and pay back. */
export const useDeletionQuote = () =>
  useQuery({
    queryKey: ['deletion-quote'],
    queryFn: ({ signal }) => call('GET /api/profile/deletion-quote', { signal }),
    staleTime: 0,
    gcTime: 0,
  });

export const useDeleteProfile = () => useMutation({ mutationFn: () => call('DELETE /api/profile') });
