export const lettersOf = (labels: readonly string[]): readonly string[] => {
  const taken = new Set<string>();
  return labels.map((label) => {
    const letter = [...label.toLowerCase()].find((one) => /[a-z]/.test(one) && !taken.has(one)) ?? '';
    taken.add(letter);
    return letter;
  });
};
