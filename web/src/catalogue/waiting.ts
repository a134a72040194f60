import { waitingCalls } from '#domain/contracts/waiting.ts';
import { useAnswer } from '../api/answers.ts';
import { useChange } from '../kit/change.ts';

/** The events whose tickets the user waits for; undefined until the answer has come. */
export const useWaits = () => useAnswer(waitingCalls.list);

/** Puts the user on an event's waiting list. */
export const useJoinWaiting = (id: number) =>
  useChange(waitingCalls.join, {
    params: { id },
    stale: [waitingCalls.list, ['event', String(id)]],
    done: ({ message }) => ({ title: 'You’re on the list', description: message }),
    failed: 'You’re not on the list',
  });

/** Takes the user off it. */
export const useLeaveWaiting = (id: number) =>
  useChange(waitingCalls.leave, {
    params: { id },
    stale: [waitingCalls.list],
    done: ({ message }) => ({ title: 'You’re off the list', description: message }),
    failed: 'You’re still on the list',
  });
