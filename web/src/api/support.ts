import { useMutation } from '@tanstack/react-query';
import type { SupportRequest } from '#domain/contracts/support.ts';
import { call } from './client.ts';

export const useContactSupport = () =>
  useMutation({ mutationFn: (body: SupportRequest) => call('POST /api/contact-support', { body }) });
