import type { StateChange } from '#domain/contracts/audit.ts';
import { shortStream, valueInWords } from '#web/lib/formatters/event.ts';
import type { ChangeInWords } from '#web/ui/log.tsx';

export const changeInWords = ({ path, before, after }: StateChange): ChangeInWords => {
  const name = path.at(-1) ?? '';
  return {
    name: path.map(shortStream).join(' › ') || 'The whole state',
    before: before === undefined ? undefined : valueInWords(before, name),
    after: after === undefined ? undefined : valueInWords(after, name),
  };
};
