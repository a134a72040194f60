import { useMutation } from '@tanstack/react-query';
import { call } from './client.ts';

export const useSubscribe = (source: string) =>
  useMutation({
    mutationFn: (email: string) => call('POST /api/newsletter/subscribe', { body: { email, source } }),
  });

export const useUnsubscribe = () =>
  useMutation({
    mutationFn: (email: string) => call('POST /api/newsletter/unsubscribe', { body: { email } }),
  });
