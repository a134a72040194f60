import type { Finding } from '#domain/contracts/log-proofs.ts';

const numbers = new Intl.NumberFormat('en-GB');

const placeOf = (name: string | null): string => {
  if (name === null) return '';
  const border = name.lastIndexOf('@');
  return ` (${name.slice(0, border)}, revision ${name.slice(border + 1)})`;
};

export const sayFinding = ({ kind, entry, other = entry, name, now }: Finding): string => {
  const [number, last] = [numbers.format(entry), numbers.format(other)];
  const called = placeOf(name);
  switch (kind) {
    case 'changed':
      return now === undefined
        ? `Entry ${number}${called} was changed.`
        : `Entry ${number}${called} was changed: another stands in its place${placeOf(now)}.`;
    case 'missing':
      return `Entry ${number}${called} is missing.`;
    case 'added':
      return `An entry that was never in the tree${called} stands before entry ${number}.`;
    case 'swapped':
      return `Entries ${number} and ${last} were swapped.`;
    case 'moved':
      return `Entries ${number} to ${last} stand in another order.`;
    case 'unsigned':
      return `An entry from ${number} to ${last} was changed together with its leaf: the signed checkpoint of ${last} entries has another root.`;
    case 'short':
      return `Entries ${number} to ${last} were cut off together with their leaves: the signed checkpoint has ${last} entries.`;
    case 'torn':
      return `The tree’s own hashes of entries ${number} to ${last} were changed or lost: it can’t prove them all.`;
    case 'forged':
      return `The checkpoint of ${number} entries is not signed by the log’s key.`;
  }
};

const MOST_SAID = 5;

export const sayFindings = (findings: readonly Finding[]): string => {
  const more = findings.length - MOST_SAID;
  return [
    ...findings.slice(0, MOST_SAID).map(sayFinding),
    ...(more > 0 ? [`And ${numbers.format(more)} more.`] : []),
  ].join(' ');
};
