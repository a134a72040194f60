/** Runs pieces of work, the urgent ones first and each kind in order of arrival, so many at the same time and no more. */
export class Turns {
  readonly #atOnce: number;
  readonly #urgent: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param atOnce how many pieces of work may run at the same time */
  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** How many pieces of work wait. */
  get waiting(): number {
    return this.#urgent.length + this.#waiting.length;
  }

  /** Runs the work when its turn has come. What is urgent goes before all that is not. */
  async take<Result>(work: () => Promise<Result>, urgent = false): Promise<Result> {
    const line = urgent ? this.#urgent : this.#waiting;
    if (this.#running >= this.#atOnce) await new Promise<void>((go) => line.push(go));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#urgent.shift() ?? this.#waiting.shift();
      // The next one takes over this place, so that `#running` stays as it is.
      if (next) next();
      else this.#running -= 1;
    }
  }
}
