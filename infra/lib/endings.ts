export class Endings {
  readonly #ends: (() => unknown)[] = [];

  add(end: () => unknown): void {
    this.#ends.push(end);
  }

  /**
   * Runs all.
   * @throws the first failure
   */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let end = this.#ends.pop(); end; end = this.#ends.pop()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

export const openTogether = async <Opened>(open: (endings: Endings) => Promise<Opened>): Promise<Opened> => {
  const endings = new Endings();
  try {
    return await open(endings);
  } catch (error) {
    await endings.run().catch(() => undefined /* the first error matters */);
    throw error;
  }
};
