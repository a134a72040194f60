/** Collects the functions that close what was opened. */
export class Endings {
  readonly #ends: (() => unknown)[] = [];

  add(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Calls all of them, the last added first, each once. A failure does not stop the rest. @throws the first failure, at the end */
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

/** Opens several parts. If one of them fails, the parts opened before it are closed, and its error is thrown. */
export const openTogether = async <Opened>(open: (endings: Endings) => Promise<Opened>): Promise<Opened> => {
  const endings = new Endings();
  try {
    return await open(endings);
  } catch (error) {
    await endings.run().catch(() => undefined /* the first error matters */);
    throw error;
  }
};
