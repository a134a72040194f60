/** What was opened and has to be closed again, last opened first. */
export class Endings {
  readonly #ends: (() => unknown)[] = [];

  add(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Closes everything, each once, though one of them fails. @throws the first failure, at the end */
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

/** Opens what belongs together; if one part fails, those before it are closed, and its failure is the caller's. */
export const openTogether = async <Opened>(open: (endings: Endings) => Promise<Opened>): Promise<Opened> => {
  const endings = new Endings();
  try {
    return await open(endings);
  } catch (error) {
    await endings.run().catch(() => undefined /* the first failure is the one to tell */);
    throw error;
  }
};
