import type { Finding } from '#domain/contracts/log-proofs.ts';

export interface Found {
  readonly hash: Buffer;
  readonly name: string;
}

export interface Compared {
  readonly from: number;
  readonly expected: readonly Buffer[];
  readonly actual: readonly Found[];
  nameOf(index: number): Promise<string | undefined>;
}

const keyOf = (hash: Buffer): string => hash.toString('latin1');

const sideOf = (keys: readonly string[], others: ReadonlySet<string>) => {
  const common: number[] = [];
  const own: { readonly at: number; readonly gap: number }[] = [];
  const seen = new Set<string>();
  for (const [at, key] of keys.entries()) {
    if (others.has(key) && !seen.has(key)) common.push(at);
    else own.push({ at, gap: common.length });
    seen.add(key);
  }
  return { common, own };
};

export const differences = async (compared: Compared): Promise<readonly Finding[]> => {
  const { from, nameOf, actual } = compared;
  const treeKeys = compared.expected.map(keyOf);
  const logKeys = actual.map(({ hash }) => keyOf(hash));
  const tree = sideOf(treeKeys, new Set(logKeys));
  const log = sideOf(logKeys, new Set(treeKeys));
  const numberOf = (at: number): number => from + at + 1;
  const nameAt = (at: number): string | null => actual[at]?.name ?? null;
  const findings: Finding[] = [];

  const rankInLog = new Map(log.common.map((at, rank) => [logKeys[at], rank]));
  const ranks = tree.common.map((at) => rankInLog.get(treeKeys[at]) ?? 0);
  const swapped = ranks.every((rank, own) => rank === own || ranks[rank] === own);
  const moved = ranks.flatMap((rank, own) => (rank === own ? [] : [own]));
  if (swapped)
    for (const own of moved) {
      const other = ranks[own] ?? own;
      if (own > other) continue;
      findings.push({
        kind: 'swapped',
        entry: numberOf(tree.common[own] ?? 0),
        other: numberOf(tree.common[other] ?? 0),
        name: nameAt(log.common[other] ?? -1),
      });
    }
  else
    findings.push({
      kind: 'moved',
      entry: numberOf(tree.common[moved[0] ?? 0] ?? 0),
      other: numberOf(tree.common[moved.at(-1) ?? 0] ?? 0),
      name: null,
    });

  const strange = new Set(log.own);
  const lastGap = tree.common.length;
  for (const lost of tree.own) {
    const name = (await nameOf(from + lost.at)) ?? null;
    const candidates = strange.values();
    const other =
      candidates.find(({ at }) => name !== null && nameAt(at) === name) ??
      strange.values().find(({ gap }) => gap === lost.gap && (gap < lastGap || name === null));
    if (other) strange.delete(other);
    const found = other && nameAt(other.at);
    findings.push({
      kind: other ? 'changed' : 'missing',
      entry: numberOf(lost.at),
      name: name ?? found ?? null,
      ...(found && name !== null && found !== name ? { now: found } : {}),
    });
  }
  for (const { at, gap } of strange) {
    const next = tree.common[gap];
    if (next !== undefined) findings.push({ kind: 'added', entry: numberOf(next), name: nameAt(at) });
  }
  return findings.sort((one, other) => one.entry - other.entry);
};
