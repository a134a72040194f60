import { waitingCalls } from '#domain/contracts/waiting.ts';
import { eventKey } from '#web/lib/api/event.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { useChange } from '#web/lib/api/use-change.ts';

export const useWaits = () => useAnswer(waitingCalls.list);

export const useJoinWaiting = (id: number) =>
  useChange(waitingCalls.join, {
    params: { id },
    stale: [waitingCalls.list, eventKey(id)],
    done: ({ message }) => ({ title: 'You’re on the list', description: message }),
    failed: 'You’re not on the list',
  });

export const useLeaveWaiting = (id: number) =>
  useChange(waitingCalls.leave, {
    params: { id },
    stale: [waitingCalls.list],
    done: ({ message }) => ({ title: 'You’re off the list', description: message }),
    failed: 'You’re still on the list',
  });
