import type { StateChange } from '#domain/contracts/audit.ts';
import type { ChangeInWords } from '../../ui/log.tsx';
import { shortStream, valueInWords } from '../../words/event.ts';

export const changeInWords = ({ path, before, after }: StateChange): ChangeInWords => {
  const name = path.at(-1) ?? '';
  return {
    name: path.map(shortStream).join(' › ') || 'The whole state',
    before: before === undefined ? undefined : valueInWords(before, name),
    after: after === undefined ? undefined : valueInWords(after, name),
  };
};
