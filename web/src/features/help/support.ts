import { useMutation } from '@tanstack/react-query';
import { type SupportRequest, supportCalls } from '#domain/contracts/support.ts';
import { call } from '#web/lib/api/client.ts';

export const useContactSupport = () =>
  useMutation({ mutationFn: (body: SupportRequest) => call(supportCalls.contact, { body }) });
